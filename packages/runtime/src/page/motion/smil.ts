import type { Clock } from '../clock/clock.ts'
import { anchorOf } from '../document/anchor.ts'
import { createFinder } from '../document/finder.ts'
import { natives, type Realm } from '../natives.ts'
import { replaceMethod } from '../replace.ts'

/** SVG's own animation elements, on the clock. Their lengths say nothing about the composition's: most go on for ever. */
export interface Smil {
  install(realm: Realm): void
  /** Sets every drawing that has any to the time of the clock; resolves when page code has been told of what that began and ended. */
  sync(): Promise<void>
  /** Whether page code is told when one begins, repeats or ends. */
  hasHandlers(): boolean
}

/** Where a drawing's time stands: `base` seconds at `originMs` of the clock, or at its timed start. */
interface Playback {
  base: number
  originMs?: number
  isPaused: boolean
  shown?: number
}

const HANDLERS = ['onbegin', 'onend', 'onrepeat']

/** Resolves when the tasks are done that a document's drawings have made: a toggle is told of in the same queue. */
const toldAll = (document: Document): Promise<void> =>
  new Promise((resolve) => {
    const details = natives.createElement.call(document, 'details') as HTMLDetailsElement
    natives.listen.call(details, 'toggle', () => resolve(), { once: true })
    details.open = true
  })

/** Makes the seeking of all windows; `startOf` gives the start of the timed element around one, in ms. */
export const createSmil = (
  clock: Clock,
  startOf: (element: Element) => number,
  treesOf: (realm: Realm) => (Document | ShadowRoot)[],
): Smil => {
  const realms = new Set<Realm>()
  const playbacks = new WeakMap<SVGSVGElement, Playback>()
  const { pauseAnimations, setCurrentTime } = SVGSVGElement.prototype
  /** Documents whose drawings have been set since page code was last told. */
  const moved = new Set<Document>()
  /** What page code was told of while the page was loading. */
  const begun = new WeakSet<EventTarget>()
  let telling: Promise<unknown> = Promise.resolve()
  const find = createFinder('animate,animateMotion,animateTransform,set')

  const playbackOf = (svg: SVGSVGElement): Playback => {
    const playback = playbacks.get(svg) ?? { base: 0, isPaused: false }
    playbacks.set(svg, playback)
    return playback
  }

  const localOf = (svg: SVGSVGElement, { base, originMs, isPaused }: Playback): number =>
    isPaused ? base : Math.max(0, base + (clock.nowMs - (originMs ?? startOf(anchorOf(svg)))) / 1000)

  const follow = (svg: SVGSVGElement) => {
    const playback = playbackOf(svg)
    if (playback.shown === undefined) pauseAnimations.call(svg)
    const local = localOf(svg, playback)
    // A drawing that is loading has no time yet: it is told again.
    if (local === playback.shown && clock.started) return
    playback.shown = local
    setCurrentTime.call(svg, local)
    moved.add(svg.ownerDocument)
  }

  const elements = () => {
    for (const realm of realms) if (realm.closed) realms.delete(realm)
    return [...realms].flatMap((realm) => treesOf(realm)).flatMap((tree) => find(tree)) as SVGElement[]
  }

  /** Takes a time from page code, from which the drawing then goes on. */
  const rebase = (svg: SVGSVGElement, playback: Playback, base: number) => {
    playback.base = base
    if (clock.started) playback.originMs = clock.nowMs
    else delete playback.originMs
    follow(svg)
  }

  /**
   * A loading page may be told twice of what begins at 0, by the browser's own clock and by ours; and of what that clock
   * has ended, but ours has not.
   */
  const isEarly = ({ type, target }: Event): boolean => {
    if (clock.started || !(target instanceof SVGAnimationElement)) return false
    if (type !== 'beginEvent' || begun.has(target) || target.getStartTime() > 0) return true
    begun.add(target)
    return false
  }

  return {
    install(realm) {
      realms.add(realm)
      for (const type of ['beginEvent', 'repeatEvent', 'endEvent'])
        natives.listen.call(realm, type, (event) => isEarly(event) && event.stopImmediatePropagation(), true)
      const proto = realm.SVGSVGElement.prototype
      const pause = (isPaused: boolean) =>
        function (this: SVGSVGElement) {
          const playback = playbackOf(this)
          const local = localOf(this, playback)
          playback.isPaused = isPaused
          rebase(this, playback, local)
        }
      replaceMethod(proto, 'pauseAnimations', pause(true))
      replaceMethod(proto, 'unpauseAnimations', pause(false))
      replaceMethod(proto, 'setCurrentTime', function (this: SVGSVGElement, seconds) {
        rebase(this, playbackOf(this), Number(seconds))
      })
      replaceMethod(proto, 'animationsPaused', function (this: SVGSVGElement) {
        return playbackOf(this).isPaused
      })
    },
    async sync() {
      const drawings = new Set<SVGSVGElement>()
      // The browser gives each <svg> a time of its own, nested ones too.
      for (const { ownerSVGElement } of elements()) if (ownerSVGElement) drawings.add(ownerSVGElement)
      for (const svg of drawings) follow(svg)
      // One that has been taken out of its window tells nobody any more.
      const told = [...moved].filter(({ defaultView }) => defaultView !== null)
      moved.clear()
      telling = Promise.all([telling, ...told.map(toldAll)])
      await telling
    },
    hasHandlers: () =>
      elements().some((element) => HANDLERS.some((key) => typeof Reflect.get(element, key) === 'function')),
  }
}
