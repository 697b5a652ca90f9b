import type { Realm } from '../realm/natives.ts'

/** The parts of a GSAP tween or timeline that the runtime uses. */
export interface GsapAnimation {
  readonly vars: Readonly<Record<string, unknown>>
  totalTime(): number
  totalTime(seconds: number, suppressEvents: boolean): unknown
  totalDuration(): number
  totalProgress(): number
  render(seconds: number, suppressEvents: boolean, force: boolean): unknown
  paused(): boolean
  pause(): unknown
  targets?(): readonly unknown[]
  startTime?(): number
  timeScale?(): number
  getChildren?(nested: boolean, tweens: boolean, timelines: boolean): GsapAnimation[]
}

interface Gsap {
  readonly globalTimeline: GsapAnimation
  readonly ticker: { sleep(): void; readonly _listeners?: readonly unknown[] }
}

/** Distinguishes a GSAP animation from other objects with `seek`. */
export const isGsap = (value: object): value is GsapAnimation =>
  ['totalTime', 'totalDuration', 'render', 'paused', 'pause'].every(
    (key) => key in value && typeof value[key as never] === 'function',
  ) && 'vars' in value

const CALLBACKS = ['onStart', 'onUpdate', 'onComplete', 'onRepeat', 'onReverseComplete', 'onInterrupt']

/** Whether any part of an animation calls page code as time passes. */
export const hasCallbacks = (animation: GsapAnimation): boolean =>
  [animation, ...(animation.getChildren?.(true, true, true) ?? [])].some(({ vars }) =>
    CALLBACKS.some((name) => typeof vars?.[name] === 'function'),
  )

/** Whether a tween's settings, its keyframes included, name a property. */
const names = (vars: unknown, property: string): boolean =>
  Array.isArray(vars)
    ? vars.some((entry) => names(entry, property))
    : vars instanceof Object && (property in vars || ('keyframes' in vars && names(vars.keyframes, property)))

/** Whether any part of an animation tweens a property of that name. */
export const tweensProperty = (animation: GsapAnimation, property: string): boolean =>
  [animation, ...(animation.getChildren?.(true, true, true) ?? [])].some(({ vars }) => names(vars, property))

/** Whether any part of an animation tweens one of these elements. */
export const tweensOneOf = (animation: GsapAnimation, elements: readonly unknown[]): boolean =>
  [animation, ...(animation.getChildren?.(true, true, true) ?? [])].some((child) =>
    child.targets?.().some((target) => elements.includes(target)),
  )

/** Seeks so that callbacks in between are called once, and values at time 0 are applied on the first seek. */
export const seekGsap = (animation: GsapAnimation, seconds: number, first: boolean): void => {
  if (!animation.paused()) animation.pause()
  if (first && animation.totalTime() === seconds) animation.render(seconds, false, true)
  else animation.totalTime(seconds, false)
}

/**
 * Whether GSAP moves anything in a window on its own: tweens outside the registered timelines, or listeners of its
 * ticker. If not, the ticker is stopped, so that its loop does not count as a loop of the page.
 */
export const runsFreely = (realm: Realm, registered: ReadonlySet<object>): boolean => {
  const gsap = (realm as Realm & { gsap?: Gsap }).gsap
  if (!gsap?.globalTimeline?.getChildren || !gsap.ticker) return false
  const free = gsap.globalTimeline
    .getChildren(false, true, true)
    .some((child) => !registered.has(child) && !child.paused() && child.totalProgress() < 1)
  const listened = (gsap.ticker._listeners?.length ?? 1) > 1
  if (!free && !listened) gsap.ticker.sleep()
  return free || listened
}
