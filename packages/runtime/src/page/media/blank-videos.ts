import type { BlankReport } from '../../contract.ts'
import type { Page } from '../page.ts'

/** Filters whose result is a sum of shares of pixels. */
const LINEAR = /^(?:none|(?:(?:blur|opacity)\([^)]*\)\s*)+)$/

/** Why the pixels of an element are not only placed, scaled and mixed; undefined when they are. */
const unfitOf = (element: Element): string | undefined => {
  for (let each: Element | null = element; each; each = each.parentElement) {
    const { filter, mixBlendMode } = getComputedStyle(each)
    if (!LINEAR.test(filter)) return 'it has a filter'
    if (mixBlendMode !== 'normal') return `it has the blend mode ${mixBlendMode}`
  }
  return undefined
}

/** Blackens videos by their ids, as `PageHost` says. */
export const blankVideos = async (
  { videoFrames, media }: Pick<Page, 'videoFrames' | 'media'>,
  ids: readonly string[],
): Promise<BlankReport> => {
  const known = ids.flatMap((id) => {
    const element = media.elementOf(id)
    return element instanceof HTMLVideoElement ? [{ id, element }] : []
  })
  const showing = await videoFrames.blank(known.map(({ element }) => element))
  const reasons = known.flatMap(({ id, element }) => {
    if (!showing.includes(element)) return []
    const reason = videoFrames.isDrawn(element) ? 'a script draws it' : unfitOf(element)
    return reason === undefined ? [] : [[id, reason] as const]
  })
  return { shown: showing.length > 0, unfit: Object.fromEntries(reasons) }
}
