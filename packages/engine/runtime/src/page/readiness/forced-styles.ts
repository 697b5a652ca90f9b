import type { Realm } from '../realm/natives.ts'
import { replaceAccessor, replaceMethod } from '../realm/replace.ts'
import { isRuntimeReading } from '../realm/runtime-reads.ts'

type Prototype = Record<string, unknown>
type Method = (this: unknown, ...args: unknown[]) => unknown

/** Methods and properties that compute the styles of a document before they answer, by the interface that has them. */
const FORCING = {
  Document: 'elementFromPoint elementsFromPoint getAnimations',
  Element: `getBoundingClientRect getClientRects getAnimations checkVisibility scrollIntoView scrollTo scrollBy scroll
    clientTop clientLeft clientWidth clientHeight scrollTop scrollLeft scrollWidth scrollHeight`,
  HTMLElement: 'focus offsetTop offsetLeft offsetWidth offsetHeight offsetParent innerText',
  Range: 'getBoundingClientRect getClientRects',
  SVGGraphicsElement: 'getBBox getCTM getScreenCTM',
  SVGTextContentElement: 'getComputedTextLength getSubStringLength',
  SVGGeometryElement: 'getTotalLength getPointAtLength',
} as const
const OF_WINDOW = 'getComputedStyle scrollTo scrollBy scroll scrollX scrollY pageXOffset pageYOffset'

const forcing = (realm: Realm): [owner: object, name: string][] =>
  [
    [realm, OF_WINDOW] as const,
    ...Object.entries(FORCING).map(([name, keys]) => [realm[name as keyof typeof FORCING].prototype, keys] as const),
  ].flatMap(([owner, keys]) => keys.split(/\s+/).map((key): [object, string] => [owner, key]))

/**
 * Calls `forced` whenever a script of a window, not the runtime, makes the browser compute its styles; returns what ends that and gives the
 * window its own functions back.
 */
export const watchForcedStyles = (realm: Realm, forced: () => void): (() => void) => {
  let isOver = false
  const report = () => {
    if (!isOver && !isRuntimeReading()) forced()
  }
  const restore = forcing(realm).map(([owner, name]) => {
    const old = Object.getOwnPropertyDescriptor(owner, name)
    const method = old?.value as Method | undefined
    if (method)
      replaceMethod(owner as Prototype, name, function (this: unknown, ...args: unknown[]) {
        report()
        return method.apply(this, args)
      })
    else
      replaceAccessor(owner as Prototype, name, {
        get() {
          report()
          return old?.get?.call(this)
        },
      })
    const replaced = Object.getOwnPropertyDescriptor(owner, name)
    return () => {
      const present = Object.getOwnPropertyDescriptor(owner, name)
      const isReplaced = present?.value === replaced?.value && present?.get === replaced?.get
      if (old && isReplaced) Object.defineProperty(owner, name, old)
    }
  })
  return () => {
    isOver = true
    for (const undo of restore) undo()
  }
}
