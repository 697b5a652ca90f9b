import type { ReportedStep } from '../page-report.ts'
import type { PageElements } from './elements.ts'
import { textElements } from './texts.ts'

/** Elements that are followed from frame to frame, and those that are looked at for them. */
const MAX_FOLLOWED = 250
const MAX_ELEMENTS = 3000

/** Frames after which it is looked for new elements, besides when their number changes. */
const REFRESH = 15

/** Distance in pixels, or part of opacity, below which nothing has moved. */
const TINY = 0.25
const TINY_OPACITY = 0.01

const PICTURES = new Set(['img', 'video', 'canvas', 'svg'])

const SHAPES = new Set(['circle', 'ellipse', 'image', 'line', 'path', 'polygon', 'polyline', 'rect', 'use'])

const paints = (element: Element): boolean => {
  if (PICTURES.has(element.localName)) return true
  if (element instanceof SVGElement) return SHAPES.has(element.localName) && element.closest('defs,clipPath,mask') === null
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

/** Follows the elements of the page from frame to frame. */
export const createPaths = (elements: PageElements) => {
  let list: Element[] = []
  let count = -1
  let age = REFRESH
  const last = new WeakMap<Element, readonly number[]>()
  const opacityOf = (element: Element, read: Map<Element, number>): number => {
    const value = read.get(element)
    if (value !== undefined) return value
    const around = element.parentElement ? opacityOf(element.parentElement, read) : 1
    const opacity = around * Number(getComputedStyle(element).opacity || 1)
    read.set(element, opacity)
    return opacity
  }
  const placeOf = (element: Element, read: Map<Element, number>): readonly number[] => {
    if (!element.isConnected || !element.checkVisibility({ visibilityProperty: true })) return [0, 0, 0, 0, 0]
    const { x, y, width, height } = element.getBoundingClientRect()
    return [x, y, width, height, opacityOf(element, read)]
  }
  return {
    /** The steps of a frame: of the elements that are elsewhere than in the frame before. */
    follow(frame: number): ReportedStep[] {
      const now = document.getElementsByTagName('*').length
      age += 1
      if (now !== count || age > REFRESH) {
        list = [...new Set([...followed(), ...list.filter((element) => last.has(element) && !element.isConnected)])]
        count = now
        age = 0
      }
      const read = new Map<Element, number>()
      const steps: ReportedStep[] = []
      for (const element of list) {
        const place = placeOf(element, read)
        const before = last.get(element)
        const isSame = before?.every(
          (value, index) => Math.abs(value - (place[index] ?? 0)) < (index === 4 ? TINY_OPACITY : TINY),
        )
        if (isSame) continue
        last.set(element, place)
        const [x = 0, y = 0, width = 0, height = 0, opacity = 0] = place
        steps.push([frame, elements.numberOf(element), x, y, width, height, opacity])
      }
      return steps
    },
  }
}
