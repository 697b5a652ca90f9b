import { type Clock, shownMs } from '../clock/clock.ts'
import { natives, type Realm } from '../realm/natives.ts'
import type { PageErrors } from '../realm/page-errors.ts'
import { replaceMethod } from '../realm/replace.ts'
import type { Observers } from './observers.ts'

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
  /** The last report for each element: thresholds passed, and whether it intersects the root. */
  readonly targets: Map<Element, string>
  queue: IntersectionObserverEntry[]
}

/** The intersection of two areas; null when they do not even touch. */
const intersect = (a: Area, b: Area): Area | null => {
  const left = Math.max(a.left, b.left)
  const top = Math.max(a.top, b.top)
  const right = Math.min(a.right, b.right)
  const bottom = Math.min(a.bottom, b.bottom)
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

/** The part of an element's box that is visible in its root, clipped by the elements between them. */
const visibleOf = (target: Element, root: Element | null, rootArea: Area): Area | null => {
  if (target.getClientRects().length === 0) return null
  let area: Area | null = areaOf(target)
  let isFixed = natives.getComputedStyle(target).position === 'fixed'
  for (let ancestor = target.parentElement; ancestor && ancestor !== root && area; ancestor = ancestor.parentElement) {
    const { overflow, position, clipPath, contain } = natives.getComputedStyle(ancestor)
    const { documentElement, body } = ancestor.ownerDocument
    const isPage = ancestor === documentElement || ancestor === body
    const clips = overflow !== 'visible' || clipPath !== 'none' || /paint|strict|content/.test(contain)
    if (clips && !isPage && !isFixed) area = intersect(area, areaOf(ancestor))
    isFixed ||= position === 'fixed'
  }
  if (root && !root.contains(target)) return null
  return area && intersect(area, rootArea)
}

/** Creates the observation of the visible parts of elements. */
export const createIntersectionObservers = (clock: Clock, errors: PageErrors): Observers => {
  const watches = new Set<Watch>()
  const watchOf = new WeakMap<IntersectionObserver, Watch>()

  const update = ({ realm, observer, targets, queue }: Watch) => {
    const root = observer.root instanceof realm.Element ? observer.root : null
    const { documentElement } = realm.document
    const view = { left: 0, top: 0, right: documentElement.clientWidth, bottom: documentElement.clientHeight }
    const rootArea = grow(root ? areaOf(root) : view, observer.rootMargin)
    for (const [target, before] of targets) {
      const box = areaOf(target)
      const visible = visibleOf(target, root, rootArea)
      const whole = (box.right - box.left) * (box.bottom - box.top)
      const part = visible ? (visible.right - visible.left) * (visible.bottom - visible.top) : 0
      const ratio = whole > 0 ? Math.min(1, part / whole) : Number(visible !== null)
      const passed = visible ? observer.thresholds.filter((threshold) => threshold <= ratio).length : 0
      const isIntersecting = visible !== null && passed > 0
      const now = `${passed} ${isIntersecting}`
      if (now === before) continue
      targets.set(target, now)
      const values = {
        time: shownMs(clock),
        rootBounds: rectOf(realm, rootArea),
        boundingClientRect: target.getBoundingClientRect(),
        intersectionRect: rectOf(realm, visible),
        intersectionRatio: ratio,
        isIntersecting,
        isVisible: false,
        target,
      }
      const entry = Object.create(realm.IntersectionObserverEntry.prototype) as IntersectionObserverEntry
      for (const [key, value] of Object.entries(values)) Object.defineProperty(entry, key, { value, enumerable: true })
      queue.push(entry)
    }
  }

  return {
    get size() {
      return [...watches].reduce((sum, { targets }) => sum + targets.size, 0)
    },
    run() {
      for (const watch of watches) if (!watch.realm.closed) update(watch)
      const changed = [...watches].filter(({ queue }) => queue.length > 0)
      for (const watch of changed) {
        const { realm, observer, callback } = watch
        const entries = watch.queue.splice(0)
        if (!realm.closed) errors.guard(realm, () => callback.call(observer, entries, observer))
      }
      return changed.length > 0
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
        // Its first state is always reported.
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
