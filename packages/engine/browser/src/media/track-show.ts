import { MEDIA_PATH } from '@vid/assets'
import { framesIn, type MediaTrack, type RenderPlan } from '@vid/protocol'
import type { MediaShow } from '@vid/runtime'
import type { FrameShare } from '../page/composition-page.ts'
import { type DecodedPackets, packetsFor } from './packet-show.ts'
import type { TrackFrames } from './track-frames.ts'

/** Frames of a composition; `hold` also shows the nearest frame of videos outside their windows. */
export interface ShowRange {
  readonly start: number
  readonly frames: number
  readonly hold: boolean
}

/** Whether a range needs a track: a video is extracted only when it is first shown. */
export const isShown = (
  { kind, start, end, source }: MediaTrack,
  { fps }: Pick<RenderPlan, 'fps'>,
  range: ShowRange,
): boolean =>
  kind === 'video' &&
  source.picture !== null &&
  (range.hold || (framesIn(start, fps) < range.start + range.frames && framesIn(end, fps) > range.start))

/** The timestamps of a video in a range, and the first frame that shows it; undefined if none does. */
export const shownTicks = (
  { first, ticks }: Pick<TrackFrames, 'first' | 'ticks'>,
  { start, frames, hold }: ShowRange,
): { readonly from: number; readonly shown: readonly number[] } | undefined => {
  const last = first + ticks.length - 1
  const [from, to] = hold ? [start, start + frames - 1] : [Math.max(first, start), Math.min(last, start + frames - 1)]
  if (ticks.length === 0 || to < from) return undefined
  const shown = Array.from({ length: to - from + 1 }, (_, index) => {
    const nearest = Math.min(Math.max(from + index, first), last) - first
    return ticks[nearest] ?? 0
  })
  return { from, shown }
}

/** Describes a shown video to its page: addresses of frames, or packets if the page decodes them. */
export const showOf = (
  { id, source }: MediaTrack,
  { from, shown }: NonNullable<ReturnType<typeof shownTicks>>,
  decoded: DecodedPackets | undefined,
  share: FrameShare | undefined,
): MediaShow => {
  const urls = shown.map((tick) => `${MEDIA_PATH}${id}/${tick}.${source.picture?.frameFormat}`)
  const shared = share && {
    channel: share.channel,
    role: share.role,
    ticks: share.frames.flatMap((frame) => shown[frame - from] ?? []),
  }
  return { id, first: from, urls, ...(decoded && { packets: packetsFor(id, decoded, shown, shared) }) }
}
