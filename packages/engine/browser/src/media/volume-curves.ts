import { type FrameRate, firstFrameAt, type MediaUse, secondsOf } from '@vid/protocol'
import { type GainEnvelope, gainsAtTimes } from '@vid/runtime'
import type { CompositionPage } from '../page/composition-page.ts'

/** Frames sampled in one call, so that long sampling is not mistaken for a hung page. */
const BATCH = 30

const rounded = (gain: number) => Math.round(gain * 1e4) / 1e4

/** The media of a page to sample, and the number of rendered frames. */
export interface VolumeJob {
  readonly media: readonly MediaUse[]
  readonly fps: FrameRate
  readonly frames: number
  /** Opens a separate page, since pages are seeked forwards only. */
  open(): Promise<CompositionPage>
}

type Gains = (readonly number[])[]
type Windows = readonly (readonly [number, number])[]

/** Gains by frame; silent frames have no entry. Undefined if scripts need what they draw, and it is not drawn. */
const sample = async (page: CompositionPage, heard: Windows, isDrawn: boolean) => {
  const gains: Gains = []
  const isHeard = (frame: number) => heard.some(([first, end]) => frame >= first && frame < end)
  const last = Math.max(...heard.map(([, end]) => end))
  for (let frame = 0; frame < last; frame++) {
    if (!isHeard(frame)) continue
    let count = 1
    while (count < BATCH && isHeard(frame + count)) count++
    const sampled = await page.volumes(frame, count, isDrawn)
    if (!sampled) return undefined
    for (const [index, values] of sampled.entries()) gains[frame + index] = values
    frame += count - 1
  }
  return gains
}

/** Samples in a page of its own. Nobody sees that page, so its scripts draw only if they read their pixels. */
const sampleAlone = async (open: VolumeJob['open'], heard: Windows, isDrawn = false): Promise<Gains> => {
  const page = await open()
  const gains = await sample(page, heard, isDrawn).finally(() => page.page.close())
  return gains ?? sampleAlone(open, heard, true)
}

/** The frames of a window in which a media element may be heard. */
const framesOf = ({ start, end }: MediaUse, fps: FrameRate, frames: number) =>
  [firstFrameAt(start, fps), Math.min(firstFrameAt(end, fps), frames)] as const

/** Sets the gains of an element in the frames of its window. */
const withCurve = (use: MediaUse, gains: readonly number[]): MediaUse => {
  const curve = gains.map(rounded)
  const [volume = use.volume] = curve
  return curve.every((gain) => gain === volume) ? { ...use, volume } : { ...use, volume, volumeCurve: curve }
}

/** The media of a page whose gains only attributes change, and what they do to each; `frames` are rendered. */
export interface EnvelopeJob {
  readonly media: readonly MediaUse[]
  readonly envelopes: readonly (GainEnvelope | undefined)[]
  readonly fps: FrameRate
  readonly frames: number
}

/** Sets the gains that attributes give each element, in every frame of its window. */
export const applyEnvelopes = ({ media, envelopes, fps, frames }: EnvelopeJob): MediaUse[] =>
  media.map((use, index) => {
    const envelope = envelopes[index]
    const [first, end] = framesOf(use, fps, frames)
    if (!envelope || use.muted || first >= end) return use
    const window = { ...use, end: Math.min(use.end, secondsOf(frames, fps)) }
    const times = Array.from({ length: end - first }, (_, frame) => secondsOf(first + frame, fps))
    return withCurve(use, gainsAtTimes(envelope, window, use.volume, times))
  })

/** Samples the gain of each element with sound in every frame of its window, as the page's scripts set it. */
export const sampleVolumes = async ({ media, fps, frames, open }: VolumeJob): Promise<MediaUse[]> => {
  const windowOf = (use: MediaUse) => framesOf(use, fps, frames)
  const heard = media.filter(({ muted, hasAudio }) => !muted && hasAudio !== false)
  const windows = heard.map(windowOf).filter(([first, end]) => first < end)
  if (windows.length === 0) return [...media]
  const gains = await sampleAlone(open, windows)
  return media.map((use, index) => {
    const [first, end] = windowOf(use)
    if (!heard.includes(use) || first >= end) return use
    return withCurve(
      use,
      gains.slice(first, end).map((values) => values[index] ?? use.volume),
    )
  })
}
