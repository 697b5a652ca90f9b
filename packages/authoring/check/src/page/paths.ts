import type { ReportedStep } from '../page-report.ts'
import type { PageElements } from './elements.ts'
import { textElements } from './texts.ts'
import { opacityOf } from './undrawn.ts'

/** Elements that are followed from frame to frame, and those that are looked at for them. */
const MAX_FOLLOWED = 250
const MAX_ELEMENTS = 3000

/** Frames after which it is looked for new elements, besides when their number changes, or a clip begins or ends. */
const REFRESH = 15

/** Distance in pixels, or part of opacity, below which nothing has moved. */
const TINY = 0.25
const TINY_OPACITY = 0.01

const PICTURES = new Set(['img', 'video', 'canvas', 'svg'])

const paints = (element: Element): boolean => {
  if (PICTURES.has(element.localName) || element instanceof SVGGeometryElement) return true
  const { backgroundColor, backgroundImage, borderTopWidth } = getComputedStyle(element)
  return (
    backgroundImage !== 'none' ||
    Number.parseFloat(borderTopWidth) > 0 ||
    !/^(?:transparent|rgba\(.*, 0\))$/.test(backgroundColor)
  )
}

const followed = (): Element[] => {
  const elements = new Set(textElements().slice(0, MAX_FOLLOWED))
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT)
  for (let count = 0; count < MAX_ELEMENTS && elements.size < MAX_FOLLOWED; count++) {
    const element = walker.nextNode() as Element | null
    if (!element) break
    if (!elements.has(element) && paints(element)) elements.add(element)
  }
  return [...elements]
}

/** Everything that styles make of an element in one frame, with those around it. */
interface Inherited {
  readonly opacity: number
  /** Changes when anything around it cuts it in another way. */
  readonly cut: number
}

/** A number that changes with what an element shows of its content. */
const cutOf = (element: Element, { overflowX, overflowY, clipPath }: CSSStyleDeclaration): number => {
  const path =
    clipPath === 'none'
      ? 0
      : [...clipPath.matchAll(/-?[\d.]+/g)].reduce((sum, [value], index) => sum + Number(value) * (index + 1), 1)
  if (overflowX === 'visible' && overflowY === 'visible') return path
  const { x, y, width, height } = element.getBoundingClientRect()
  return path + x + 3 * y + 7 * width + 13 * height
}

const readInherited = (element: Element, read: Map<Element, Inherited>): Inherited => {
  const inheritance = read.get(element)
  if (inheritance) return inheritance
  const around = element.parentElement ? readInherited(element.parentElement, read) : { opacity: 1, cut: 0 }
  const style = getComputedStyle(element)
  const value = { opacity: around.opacity * opacityOf(element, style), cut: around.cut + cutOf(element, style) }
  read.set(element, value)
  return value
}

/** Left, top, width, height, opacity, and what cuts it. */
type Place = readonly [number, number, number, number, number, number]

const HIDDEN: Place = [0, 0, 0, 0, 0, 0]

const placeOf = (element: Element, read: Map<Element, Inherited>): Place => {
  if (!element.isConnected || !element.checkVisibility({ visibilityProperty: true })) return HIDDEN
  const { x, y, width, height } = element.getBoundingClientRect()
  const { opacity, cut } = readInherited(element, read)
  return [x, y, width, height, opacity, cut]
}

/** Follows the elements of the page from frame to frame. */
export const createPaths = (elements: PageElements) => {
  let list: Element[] = []
  let content = ''
  let shownClips = ''
  let age = REFRESH
  const last = new WeakMap<Element, Place>()
  /** Looks for new elements; reports whether a clip has begun or ended. */
  const refresh = (): boolean => {
    const clips = elements.timed().map((clip) => (clip.checkVisibility({ visibilityProperty: true }) ? 1 : 0))
    const isCut = clips.join('') !== shownClips
    shownClips = clips.join('')
    const now = `${document.getElementsByTagName('*').length} ${shownClips}`
    age += 1
    if (now === content && age <= REFRESH) return isCut
    // What was shown stays until it has been seen to be hidden.
    const shown = list.filter((element) => (last.get(element)?.[2] ?? 0) > 0)
    list = [...new Set([...followed(), ...shown])]
    content = now
    age = 0
    return isCut
  }
  return {
    /**
     * The steps of a frame: of the elements that are elsewhere than in the frame before; whether anything changed, and
     * whether a clip has begun or ended.
     */
    follow(frame: number): {
      readonly steps: readonly ReportedStep[]
      readonly isChanged: boolean
      readonly isCut: boolean
    } {
      const isCut = refresh()
      const read = new Map<Element, Inherited>()
      const steps: ReportedStep[] = []
      let isChanged = false
      for (const element of list) {
        const place = placeOf(element, read)
        const before = last.get(element)
        const moved = (index: number, least: number) =>
          !before || Math.abs((before[index] ?? 0) - (place[index] ?? 0)) >= least
        const isMoved = [0, 1, 2, 3].some((index) => moved(index, TINY)) || moved(4, TINY_OPACITY)
        if (!isMoved && !moved(5, TINY)) continue
        isChanged = true
        last.set(element, place)
        const [x, y, width, height, opacity] = place
        if (isMoved) steps.push([frame, elements.numberOf(element), x, y, width, height, opacity])
      }
      return { steps, isChanged, isCut }
    },
  }
}
