import type { Clock } from '../clock/clock.ts'
import { anchorOf } from '../document/anchor.ts'
import { createFinder } from '../document/finder.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { createRealms } from '../realm/realms.ts'
import { replaceMethod } from '../realm/replace.ts'

/** SVG animation elements on the clock. Their lengths do not affect the composition's, since most are endless. */
export interface Smil {
  install(realm: Realm): void
  /** Sets every animated drawing to the clock's time; resolves when the resulting events have been dispatched. */
  sync(): Promise<void>
  /** Whether page code has handlers for their events. */
  hasHandlers(): boolean
}

/** The time of a drawing: `base` seconds at `originMs` of the clock, or at its timed start. */
interface Playback {
  base: number
  originMs?: number
  isPaused: boolean
  shown?: number
}

const XHTML = 'http://www.w3.org/1999/xhtml'

const HANDLERS = ['onbegin', 'onend', 'onrepeat']

/** Resolves when a document's drawings have dispatched their events: a toggle event is in the same task queue. */
const eventsDispatched = (document: Document): Promise<void> =>
  new Promise((resolve) => {
    // In the document of a drawing, an element without a namespace would be no <details>.
    const details = natives.createElementNS.call(document, XHTML, 'details') as HTMLDetailsElement
    natives.listen.call(details, 'toggle', () => resolve(), { once: true })
    details.open = true
  })

/** Creates the seeking of all windows; `startOf` returns the start of the timed element around one, in ms. */
export const createSmil = (
  clock: Clock,
  startOf: (element: Element) => number,
  treesOf: (realm: Realm) => (Document | ShadowRoot)[],
): Smil => {
  const realms = createRealms()
  const playbacks = new WeakMap<SVGSVGElement, Playback>()
  const { pauseAnimations, setCurrentTime } = SVGSVGElement.prototype
  /** Documents whose drawings have been set since their events were last awaited. */
  const moved = new Set<Document>()
  /** Elements whose begin event page code has received while the page was loading. */
  const begun = new WeakSet<EventTarget>()
  let dispatching: Promise<unknown> = Promise.resolve()
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
    // A drawing ignores its time while it is loading, so it is set again.
    if (local === playback.shown && clock.started) return
    playback.shown = local
    setCurrentTime.call(svg, local)
    moved.add(svg.ownerDocument)
  }

  const elements = () => [...realms].flatMap((realm) => treesOf(realm)).flatMap((tree) => find(tree)) as SVGElement[]

  /** Sets the time from which the drawing continues, for page code. */
  const rebase = (svg: SVGSVGElement, playback: Playback, base: number) => {
    playback.base = base
    if (clock.started) playback.originMs = clock.nowMs
    else delete playback.originMs
    follow(svg)
  }

  /**
   * A loading page may get two events for animations that begin at 0, from the browser's clock and from ours, and
   * events for animations that have ended only on the browser's clock.
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
      // A document that has been removed from its window dispatches no more events.
      const awaited = [...moved].filter(({ defaultView }) => defaultView !== null)
      moved.clear()
      dispatching = Promise.all([dispatching, ...awaited.map(eventsDispatched)])
      await dispatching
    },
    hasHandlers: () =>
      elements().some((element) => HANDLERS.some((key) => typeof Reflect.get(element, key) === 'function')),
  }
}
