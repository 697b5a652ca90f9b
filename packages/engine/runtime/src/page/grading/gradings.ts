import { type Grading, readGrading } from '../../grading/grading.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { createGradingFilter } from './grading-filter.ts'

/** Colour grading of a window's pictures, applied to each frame and hidden from page code between frames. */
export interface Gradings {
  /** Removes every grading, so that page code reads and animates its own filters only. */
  hide(): void
  /** Grades every picture that has the attribute, with the present values of the attribute and the variables. */
  show(): void
}

const SELECTOR = 'img[data-color-grading],video[data-color-grading],canvas[data-color-grading]'

/** Limit on cached filters, since a page may set a new grading for each frame. */
const MAX_FILTERS = 64

/** Puts filters into the document, where they affect no selector and no layout of the page: beside the body. */
const createHolder = (document: Document) => {
  let holder: Element | undefined
  return (filter: Element): void => {
    if (!holder) {
      holder = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
      holder.setAttribute('style', 'position:absolute!important;width:0!important;height:0!important')
      holder.setAttribute('aria-hidden', 'true')
    }
    if (!holder.isConnected) document.documentElement.append(holder)
    holder.append(filter)
  }
}

/** Creates the gradings of a window; `variablesOf` returns the variables of the composition around an element. */
export const createGradings = (
  realm: Realm,
  variablesOf: (element: Element) => Readonly<Record<string, unknown>>,
): Gradings => {
  const { document } = realm
  const filters = new Map<string, Element>()
  const animations = new WeakMap<Element, Animation>()
  const shown = new Set<Animation>()
  const attach = createHolder(document)
  let lastId = 0

  const filterFor = (grading: Grading): string => {
    const key = JSON.stringify(grading)
    const filter = filters.get(key) ?? createGradingFilter(document, `vid-grading-${++lastId}`, grading)
    filters.delete(key)
    filters.set(key, filter)
    if (!filter.isConnected) attach(filter)
    return `url("#${filter.id}")`
  }

  const removeOldFilters = () => {
    for (const [key, filter] of filters) {
      if (filters.size <= MAX_FILTERS) break
      filter.remove()
      filters.delete(key)
    }
  }

  /** An animation overrides every style of the page without changing one, and starts no transition. */
  const apply = (element: Element, value: string) => {
    const animation = animations.get(element) ?? natives.animate.call(element, [], { duration: 1, fill: 'both' })
    animations.set(element, animation)
    const effect = animation.effect as KeyframeEffect
    effect.setKeyframes({ filter: [value, value] })
    natives.animation.pause.call(animation)
    natives.animation.setTime(animation, 0)
    shown.add(animation)
  }

  const hide = () => {
    for (const animation of shown) natives.animation.cancel.call(animation)
    shown.clear()
  }

  return {
    hide,
    show() {
      hide()
      removeOldFilters()
      const graded = [...document.querySelectorAll(SELECTOR)].flatMap((element) => {
        const grading = readGrading(element.getAttribute('data-color-grading') ?? '', variablesOf(element))
        return grading ? [{ element, grading, filter: natives.getComputedStyle(element).filter }] : []
      })
      for (const { element, grading, filter } of graded)
        apply(element, `${filterFor(grading)}${filter === 'none' || filter === '' ? '' : ` ${filter}`}`)
    },
  }
}
