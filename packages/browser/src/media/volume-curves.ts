import { type FrameRate, firstFrameAt, type MediaUse } from '@vid/kernel'
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

/** Gains by frame; silent frames have no entry. */
const sample = async (page: CompositionPage, heard: readonly (readonly [number, number])[]) => {
  const gains: (readonly number[])[] = []
  const isHeard = (frame: number) => heard.some(([first, end]) => frame >= first && frame < end)
  const last = Math.max(...heard.map(([, end]) => end))
  for (let frame = 0; frame < last; frame++) {
    if (!isHeard(frame)) continue
    let count = 1
    while (count < BATCH && isHeard(frame + count)) count++
    for (const [index, values] of (await page.volumes(frame, count)).entries()) gains[frame + index] = values
    frame += count - 1
  }
  return gains
}

/** Samples the gain of each element with sound in every frame of its window, as the page's scripts set it. */
export const sampleVolumes = async ({ media, fps, frames, open }: VolumeJob): Promise<MediaUse[]> => {
  const windowOf = ({ start, end }: MediaUse) =>
    [firstFrameAt(start, fps), Math.min(firstFrameAt(end, fps), frames)] as const
  const heard = media.filter(({ muted, hasAudio }) => !muted && hasAudio !== false)
  const windows = heard.map(windowOf).filter(([first, end]) => first < end)
  if (windows.length === 0) return [...media]
  const page = await open()
  try {
    const gains = await sample(page, windows)
    return media.map((use, index) => {
      const [first, end] = windowOf(use)
      if (!heard.includes(use) || first >= end) return use
      const curve = gains.slice(first, end).map((values) => rounded(values[index] ?? use.volume))
      const [volume = use.volume] = curve
      return curve.every((gain) => gain === volume) ? { ...use, volume } : { ...use, volume, volumeCurve: curve }
    })
  } finally {
    await page.page.close()
  }
}
