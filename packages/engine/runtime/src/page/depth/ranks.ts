import { createStyleOverride, type StyleOverride } from '../motion/style-override.ts'
import { natives } from '../realm/natives.ts'
import type { LevelOf } from './scene.ts'

/** Ranks of elements among their siblings, in place of their `z-index`. */
export interface Ranks {
  /** The level at which the page itself paints an element. */
  readonly levelOf: LevelOf
  /** Paints these elements in the order of their ranks, and all others as the page does. */
  apply(order: ReadonlyMap<HTMLElement, number>): void
}

/** A ranked element, with what its page says about its level. */
interface Ranked {
  readonly override: StyleOverride
  readonly level: number
  /** Where the level comes from, to notice a change. */
  readonly source: string
  /** Whether its `z-index` would be ignored without a position. */
  readonly isUnranked: boolean
  readonly rank?: number
}

/** Content in the flow is painted below what is positioned or forms a unit. */
const FLOW_LEVEL = -0.5

const readLevel = (element: HTMLElement): number => {
  const { zIndex, position, transform, translate, rotate, scale, opacity, transformStyle } =
    natives.getComputedStyle(element)
  if (zIndex !== 'auto') return Number(zIndex)
  const isUnit =
    position !== 'static' ||
    `${transform}${translate}${rotate}${scale}` !== 'none'.repeat(4) ||
    opacity !== '1' ||
    transformStyle !== 'flat'
  return isUnit ? 0 : FLOW_LEVEL
}

const sourceOf = ({ style, className }: HTMLElement): string => `${style.zIndex} ${style.position} ${className}`

/** Whether a `z-index` of an element is ignored. */
const isUnranked = (element: HTMLElement): boolean => {
  if (natives.getComputedStyle(element).position !== 'static') return false
  const { parentElement } = element
  return !parentElement || !/flex|grid/.test(natives.getComputedStyle(parentElement).display)
}

/** A position that moves nothing. */
const IN_PLACE = { position: 'relative', left: 'auto', right: 'auto', top: 'auto', bottom: 'auto' }

const startRanking = (element: HTMLElement, level: number): Ranked => ({
  override: createStyleOverride(element),
  level,
  source: sourceOf(element),
  isUnranked: isUnranked(element),
})

/** Creates the ranks of a page, with no element ranked. */
export const createRanks = (): Ranks => {
  const ranked = new Map<HTMLElement, Ranked>()
  const release = (element: HTMLElement) => {
    ranked.get(element)?.override.cancel()
    ranked.delete(element)
  }
  const levelOf = (element: HTMLElement): number => {
    const entry = ranked.get(element)
    if (entry?.source === sourceOf(element)) return entry.level
    release(element)
    return readLevel(element)
  }
  return {
    levelOf,
    apply(order) {
      for (const element of ranked.keys()) if (!order.has(element)) release(element)
      for (const [element, rank] of order) {
        const level = levelOf(element)
        const entry = ranked.get(element) ?? startRanking(element, level)
        if (entry.rank === rank) continue
        entry.override.set({ zIndex: String(rank), ...(entry.isUnranked && IN_PLACE) })
        ranked.set(element, { ...entry, rank })
      }
    },
  }
}
