import { natives, type Realm } from '../realm/natives.ts'
import type { PageErrors } from '../realm/page-errors.ts'
import { replaceMethod } from '../realm/replace.ts'
import type { Observers } from './observers.ts'

type Box = ResizeObserverBoxOptions
interface Size {
  readonly inlineSize: number
  readonly blockSize: number
}
interface Observation {
  readonly box: Box
  readonly last: Size
}
interface Watch {
  readonly realm: Realm
  readonly observer: ResizeObserver
  readonly callback: ResizeObserverCallback
  readonly targets: Map<Element, Observation>
}

const pixels = (value: string) => Number.parseFloat(value) || 0

/** The boxes of an element by its computed style, without transforms. */
const measure = (target: Element) => {
  const style = natives.getComputedStyle(target)
  // Only the outermost <svg> has a CSS box.
  if ('getBBox' in target && (target as SVGGraphicsElement).ownerSVGElement) {
    const { width, height } = (target as SVGGraphicsElement).getBBox()
    return { left: 0, top: 0, content: [width, height], border: [width, height], isVertical: false } as const
  }
  const isVertical = style.writingMode.startsWith('vertical')
  const hasBox = target.getClientRects().length > 0 && style.display !== 'inline'
  if (!hasBox) return { left: 0, top: 0, content: [0, 0], border: [0, 0], isVertical } as const
  const left = pixels(style.paddingLeft)
  const top = pixels(style.paddingTop)
  const beside = left + pixels(style.paddingRight) + pixels(style.borderLeftWidth) + pixels(style.borderRightWidth)
  const above = top + pixels(style.paddingBottom) + pixels(style.borderTopWidth) + pixels(style.borderBottomWidth)
  const width = pixels(style.width)
  const height = pixels(style.height)
  const isBorderBox = style.boxSizing === 'border-box'
  const content = isBorderBox ? [Math.max(0, width - beside), Math.max(0, height - above)] : [width, height]
  const border = isBorderBox ? [width, height] : [width + beside, height + above]
  return { left, top, content, border, isVertical } as const
}

const sizeOf = ([width = 0, height = 0]: readonly number[], isVertical: boolean): Size =>
  isVertical ? { inlineSize: height, blockSize: width } : { inlineSize: width, blockSize: height }

const describe = (realm: Realm, target: Element): ResizeObserverEntry => {
  const { left, top, content, border, isVertical } = measure(target)
  const values = {
    target,
    contentRect: new realm.DOMRectReadOnly(left, top, content[0], content[1]),
    contentBoxSize: [sizeOf(content, isVertical)],
    borderBoxSize: [sizeOf(border, isVertical)],
    devicePixelContentBoxSize: [sizeOf(content, isVertical)],
  }
  const entry = Object.create(realm.ResizeObserverEntry.prototype) as ResizeObserverEntry
  for (const [key, value] of Object.entries(values)) Object.defineProperty(entry, key, { value, enumerable: true })
  return entry
}

const boxOf = (entry: ResizeObserverEntry, box: Box): Size => {
  const sizes = box === 'border-box' ? entry.borderBoxSize : entry.contentBoxSize
  return sizes[0] ?? { inlineSize: 0, blockSize: 0 }
}

const depthOf = (target: Element): number => {
  let depth = 0
  for (let ancestor: Element | null = target; ancestor; ancestor = ancestor.parentElement) depth++
  return depth
}

/** Reports each observer that a window constructs, and returns what they inherit from. */
const watchConstructor = (realm: Realm, constructed: (watch: Watch) => void): ResizeObserver => {
  const Native = realm.ResizeObserver
  const proto = Native.prototype
  const Watched = new Proxy(Native, {
    construct(target, [callback], newTarget) {
      const observer = Reflect.construct(target, [callback], newTarget) as ResizeObserver
      constructed({ realm, observer, callback: callback as ResizeObserverCallback, targets: new Map() })
      return observer
    },
  })
  proto.constructor = Watched
  Object.defineProperty(realm, 'ResizeObserver', { value: Watched, writable: true, configurable: true })
  return proto
}

/** Creates the observation of the sizes of elements. */
export const createResizeObservers = (errors: PageErrors): Observers => {
  const watches = new Set<Watch>()
  const watchOf = new WeakMap<ResizeObserver, Watch>()

  const changesOf = ({ realm, targets }: Watch, deeperThan: number) =>
    [...targets].flatMap(([target, { box, last }]) => {
      const depth = depthOf(target)
      if (depth <= deeperThan) return []
      const entry = describe(realm, target)
      const size = boxOf(entry, box)
      const isSame = size.inlineSize === last.inlineSize && size.blockSize === last.blockSize
      return isSame ? [] : [{ target, entry, depth, observation: { box, last: size } }]
    })

  return {
    get size() {
      return [...watches].reduce((sum, { targets }) => sum + targets.size, 0)
    },
    run() {
      let hasRun = false
      // As in browsers, changes that a callback makes itself are reported only for deeper elements.
      for (let deeperThan = 0; ; ) {
        const results = [...watches].map((watch) => ({ watch, changes: changesOf(watch, deeperThan) }))
        const changed = results.filter(({ changes }) => changes.length > 0)
        if (changed.length === 0) return hasRun
        hasRun = true
        deeperThan = Math.min(...changed.flatMap(({ changes }) => changes.map(({ depth }) => depth)))
        for (const { watch, changes } of changed) {
          const { realm, observer, callback, targets } = watch
          for (const { target, observation } of changes) if (targets.has(target)) targets.set(target, observation)
          const entries = changes.map(({ entry }) => entry)
          if (!realm.closed) errors.guard(realm, () => callback.call(observer, entries, observer))
        }
      }
    },
    install(realm) {
      const proto = watchConstructor(realm, (watch) => watchOf.set(watch.observer, watch))
      replaceMethod(proto, 'observe', function (this: ResizeObserver, target, options) {
        const watch = watchOf.get(this)
        if (!watch) return
        const last = { inlineSize: 0, blockSize: 0 }
        watch.targets.set(target, { box: options?.box ?? 'content-box', last })
        watches.add(watch)
      })
      const forget = (watch: Watch | undefined) => {
        if (watch?.targets.size === 0) watches.delete(watch)
      }
      replaceMethod(proto, 'unobserve', function (this: ResizeObserver, target) {
        watchOf.get(this)?.targets.delete(target)
        forget(watchOf.get(this))
      })
      replaceMethod(proto, 'disconnect', function (this: ResizeObserver) {
        watchOf.get(this)?.targets.clear()
        forget(watchOf.get(this))
      })
    },
  }
}
