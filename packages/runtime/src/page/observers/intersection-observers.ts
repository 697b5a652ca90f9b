import type { Clock } from '../clock/clock.ts'
import type { PageErrors } from '../errors.ts'
import type { Realm } from '../natives.ts'
import { replaceMethod } from '../replace.ts'
import type { Observers } from './resize-observers.ts'

interface Area {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}
interface Watch {
  readonly realm: Realm
  readonly observer: IntersectionObserver
  readonly callback: IntersectionObserverCallback
  /** What was told last of each: which threshold was passed, and whether it met the root. */
  readonly targets: Map<Element, string>
  queue: IntersectionObserverEntry[]
}

/** Where both are; null when they do not even touch. */
const meet = (a: Area, b: Area): Area | null => {
  const [left, top] = [Math.max(a.left, b.left), Math.max(a.top, b.top)]
  const [right, bottom] = [Math.min(a.right, b.right), Math.min(a.bottom, b.bottom)]
  return left <= right && top <= bottom ? { left, top, right, bottom } : null
}

const areaOf = (element: Element): Area => element.getBoundingClientRect()

const grow = ({ left, top, right, bottom }: Area, margin: string): Area => {
  const [above = 0, after = 0, below = 0, before = 0] = margin.split(' ').map((text, side) => {
    const whole = side % 2 === 0 ? bottom - top : right - left
    return text.endsWith('%') ? (Number.parseFloat(text) / 100) * whole : Number.parseFloat(text) || 0
  })
  return { left: left - before, top: top - above, right: right + after, bottom: bottom + below }
}

const rectOf = (realm: Realm, area: Area | null): DOMRectReadOnly =>
  area
    ? new realm.DOMRectReadOnly(area.left, area.top, area.right - area.left, area.bottom - area.top)
    : new realm.DOMRectReadOnly()

/** What is left of an element's box within its root, cut by all that cuts between them. */
const visibleOf = (target: Element, root: Element | null, rootArea: Area): Area | null => {
  if (target.getClientRects().length === 0) return null
  let area: Area | null = areaOf(target)
  let isFixed = getComputedStyle(target).position === 'fixed'
  for (let at = target.parentElement; at && at !== root && area; at = at.parentElement) {
    const { overflow, position, clipPath, contain } = getComputedStyle(at)
    const isPage = at === at.ownerDocument.documentElement || at === at.ownerDocument.body
    const cuts = overflow !== 'visible' || clipPath !== 'none' || /paint|strict|content/.test(contain)
    if (cuts && !isPage && !isFixed) area = meet(area, areaOf(at))
    isFixed ||= position === 'fixed'
  }
  if (root && !root.contains(target)) return null
  return area && meet(area, rootArea)
}

/** Makes the watch over what of elements is in sight. */
export const createIntersectionObservers = (clock: Clock, errors: PageErrors): Observers => {
  const watches = new Set<Watch>()
  const watchOf = new WeakMap<IntersectionObserver, Watch>()

  const look = ({ realm, observer, targets, queue }: Watch) => {
    const root = observer.root instanceof realm.Element ? observer.root : null
    const { documentElement } = realm.document
    const view = { left: 0, top: 0, right: documentElement.clientWidth, bottom: documentElement.clientHeight }
    const rootArea = grow(root ? areaOf(root) : view, observer.rootMargin)
    for (const [target, before] of targets) {
      const box = areaOf(target)
      const seen = visibleOf(target, root, rootArea)
      const whole = (box.right - box.left) * (box.bottom - box.top)
      const part = seen ? (seen.right - seen.left) * (seen.bottom - seen.top) : 0
      const ratio = whole > 0 ? Math.min(1, part / whole) : Number(seen !== null)
      const passed = seen ? observer.thresholds.filter((threshold) => threshold <= ratio).length : 0
      const isIntersecting = seen !== null && passed > 0
      const now = `${passed} ${isIntersecting}`
      if (now === before) continue
      targets.set(target, now)
      const values = {
        time: clock.nowMs,
        rootBounds: rectOf(realm, rootArea),
        boundingClientRect: target.getBoundingClientRect(),
        intersectionRect: rectOf(realm, seen),
        intersectionRatio: ratio,
        isIntersecting,
        isVisible: false,
        target,
      }
      const entry = Object.create(realm.IntersectionObserverEntry.prototype) as IntersectionObserverEntry
      for (const [key, value] of Object.entries(values))
        Object.defineProperty(entry, key, { value, enumerable: true })
      queue.push(entry)
    }
  }

  return {
    get size() {
      return [...watches].reduce((sum, { targets }) => sum + targets.size, 0)
    },
    run() {
      for (const watch of watches) if (!watch.realm.closed) look(watch)
      const told = [...watches].filter(({ queue }) => queue.length > 0)
      for (const watch of told) {
        const { realm, observer, callback } = watch
        const entries = watch.queue.splice(0)
        if (!realm.closed) errors.guard(realm, () => callback.call(observer, entries, observer))
      }
      return told.length > 0
    },
    install(realm) {
      const Native = realm.IntersectionObserver
      const proto = Native.prototype
      const Watched = new Proxy(Native, {
        construct(target, [callback, options], newTarget) {
          const observer = Reflect.construct(target, [callback, options], newTarget) as IntersectionObserver
          const facts = { realm, observer, callback: callback as IntersectionObserverCallback }
          watchOf.set(observer, { ...facts, targets: new Map(), queue: [] })
          return observer
        },
      })
      proto.constructor = Watched
      Object.defineProperty(realm, 'IntersectionObserver', {
        value: Watched,
        writable: true,
        configurable: true,
      })
      replaceMethod(proto, 'observe', function (this: IntersectionObserver, target) {
        const watch = watchOf.get(this)
        if (!watch || watch.targets.has(target)) return
        // Whatever it is, it is told once.
        watch.targets.set(target, '')
        watches.add(watch)
      })
      replaceMethod(proto, 'unobserve', function (this: IntersectionObserver, target) {
        const watch = watchOf.get(this)
        watch?.targets.delete(target)
        if (watch?.targets.size === 0) watches.delete(watch)
      })
      replaceMethod(proto, 'disconnect', function (this: IntersectionObserver) {
        const watch = watchOf.get(this)
        watch?.targets.clear()
        if (watch) watches.delete(watch)
      })
      replaceMethod(proto, 'takeRecords', function (this: IntersectionObserver) {
        return watchOf.get(this)?.queue.splice(0) ?? []
      })
    },
  }
}
