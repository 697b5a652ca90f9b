import type { BlankReport } from '../../contract/media.ts'
import { chainOf } from '../document/flat-tree.ts'
import { natives } from '../realm/natives.ts'
import type { Media } from './media.ts'
import type { VideoFrames } from './video-frames.ts'

/** Filters whose result is a weighted sum of pixels. */
const LINEAR = /^(?:none|(?:(?:blur|opacity)\([^)]*\)\s*)+)$/

/** The reason why the pixels of an element are not only placed, scaled and blended; undefined if they are. */
const unfitReason = (element: Element): string | undefined => {
  for (const current of chainOf(element)) {
    const { filter, mixBlendMode } = natives.getComputedStyle(current)
    if (!LINEAR.test(filter)) return 'it has a filter'
    if (mixBlendMode !== 'normal') return `it has the blend mode ${mixBlendMode}`
  }
  return undefined
}

/** The media of the page and their pictures. */
export interface BlankParts {
  readonly videoFrames: VideoFrames
  readonly media: Media
}

/** Replaces the pictures of videos by black, as `PageHost.blankVideos` says. */
export const blankVideos = async ({ videoFrames, media }: BlankParts, ids: readonly string[]): Promise<BlankReport> => {
  const videos = ids.flatMap((id) => {
    const element = media.elementOf(id)
    return element instanceof HTMLVideoElement ? [{ id, element }] : []
  })
  const showing = await videoFrames.blank(videos.map(({ element }) => element))
  const reasons = videos.flatMap(({ id, element }) => {
    if (!showing.includes(element)) return []
    const reason = videoFrames.isDrawn(element) ? 'a script draws it' : unfitReason(element)
    return reason === undefined ? [] : [[id, reason] as const]
  })
  return { shown: showing.length > 0, unfit: Object.fromEntries(reasons) }
}
