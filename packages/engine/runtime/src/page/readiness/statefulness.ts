import type { Frames } from '../clock/frames.ts'
import type { Listeners } from '../clock/listeners.ts'
import type { Messages } from '../clock/messages.ts'
import type { Timers } from '../clock/timers.ts'
import { parentOf } from '../document/flat-tree.ts'
import type { HiddenTrees } from '../document/hidden-trees.ts'
import type { Adapters } from '../libraries/adapters.ts'
import { runsFreely } from '../libraries/gsap.ts'
import type { Timelines } from '../libraries/timelines.ts'
import type { VideoFrames } from '../media/video-frames.ts'
import type { Animations } from '../motion/animations.ts'
import type { Smil } from '../motion/smil.ts'
import type { Observers } from '../observers/observers.ts'
import { ELEMENT_CANVAS } from '../raster/element-canvas.ts'
import { natives, type Realm } from '../realm/natives.ts'
import type { Workers } from '../workers/workers.ts'

/** The parts that determine whether a frame depends on earlier frames. */
export interface StatefulnessParts {
  readonly realms: ReadonlySet<Realm>
  readonly timers: Timers
  readonly messages: Messages
  readonly workers: Workers
  readonly observers: readonly Observers[]
  readonly frames: Frames
  readonly timelines: Timelines
  readonly adapters: Adapters
  readonly animations: Animations
  readonly hiddenTrees: HiddenTrees
  readonly listeners: Listeners
  readonly videoFrames: VideoFrames
  readonly smil: Smil
}

const ANIMATION_EVENTS = ['start', 'iteration', 'end'].map((kind) => `animation${kind}`)
const TRANSITION_EVENTS = ['run', 'start', 'end'].map((kind) => `transition${kind}`)
const EVENTS = [...ANIMATION_EVENTS, ...TRANSITION_EVENTS]

const hasInlineHandler = (animations: Animations): boolean =>
  [...animations.playbacks.values()].some(({ element }) => {
    for (let ancestor = element; ancestor; ancestor = parentOf(ancestor))
      if (EVENTS.some((type) => typeof Reflect.get(ancestor, `on${type}`) === 'function')) return true
    return EVENTS.some((type) => Reflect.get(document, `on${type}`) || Reflect.get(window, `on${type}`))
  })

const seconds = (list: string): number => Math.max(0, ...list.split(',').map(Number.parseFloat))

/** Whether the look of an element depends on the time of a change, as with transitions. */
const hasTransitions = ({ hiddenTrees }: StatefulnessParts): boolean =>
  [
    ...document.querySelectorAll('body,body *'),
    ...hiddenTrees.treesOf(window).flatMap((tree) => [...tree.querySelectorAll('*')]),
  ].some((element) => {
    const { transitionDuration, transitionDelay, transitionProperty } = natives.getComputedStyle(element)
    return transitionProperty !== 'none' && seconds(transitionDuration) + seconds(transitionDelay) > 0
  })

const declaredAnimations = (rules: CSSRuleList): string[] =>
  [...rules].flatMap((rule) => [
    ...(rule instanceof CSSStyleRule && rule.style.animationName !== '' ? [rule.style.animationName] : []),
    ...('cssRules' in rule && !(rule instanceof CSSKeyframesRule)
      ? declaredAnimations(rule.cssRules as CSSRuleList)
      : []),
  ])

const rulesOf = (sheet: CSSStyleSheet): CSSRuleList | undefined => {
  try {
    return sheet.cssRules
  } catch {
    return undefined // another origin's sheet, which no script may read
  }
}

/** Whether a declared keyframe animation is not running yet, so that a seek may start it. */
const hasDormantAnimations = (animations: Animations): boolean => {
  const running = new Set(
    [...animations.playbacks.keys()].map((animation) => ('animationName' in animation ? animation.animationName : '')),
  )
  return [...document.styleSheets]
    .map(rulesOf)
    .flatMap((rules) => (rules ? declaredAnimations(rules) : []))
    .flatMap((names) => names.split(',').map((name) => name.trim()))
    .some((name) => name !== 'none' && !running.has(name))
}

/** The reasons why a page must be replayed from frame 0; empty if it need not be. In doubt, it must. */
export const findStatefulness = (page: StatefulnessParts): string[] => {
  const { timers, frames, timelines, adapters, animations, listeners } = page
  const because: string[] = []
  const registered = timelines.objects
  for (const realm of page.realms)
    if (runsFreely(realm, registered)) because.push('GSAP animations outside a registered timeline')
  if (timers.size || page.messages.underWay > 0) because.push('timers')
  if (page.workers.size) because.push('workers')
  if (page.observers.some(({ size }) => size > 0)) because.push('observers')
  if (frames.size) because.push('requestAnimationFrame')
  // It draws what the browser painted for the previous frame.
  if (document.querySelector(ELEMENT_CANVAS)) because.push('elements that a canvas draws')
  if (page.videoFrames.hasCallbacks()) because.push('requestVideoFrameCallback')
  if (timelines.hasCallbacks()) because.push('timeline callbacks')
  if (adapters.hasCallbacks()) because.push('anime.js callbacks')
  if ([...animations.playbacks.keys()].some((animation) => 'transitionProperty' in animation))
    because.push('transitions')
  if (listeners.has(...EVENTS, 'finish') || hasInlineHandler(animations)) because.push('animation events')
  if (listeners.has('beginEvent', 'endEvent', 'repeatEvent') || page.smil.hasHandlers())
    because.push('events of SVG animations')
  const isScripted = listeners.has('vid-seek', 'hf-seek') || adapters.list().length > 0 || registered.size > 0
  if (!because.length && isScripted && hasTransitions(page)) because.push('transitions that a seek may start')
  if (!because.length && isScripted && hasDormantAnimations(animations))
    because.push('CSS animations that a seek may start')
  return because
}
