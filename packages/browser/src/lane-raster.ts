import type { Frame, Segment } from '@vid/kernel'
import { captureFailure } from './capture-errors.ts'
import type { CompositionPage } from './composition-page.ts'
import { imageSettings, type LaneKind } from './lane.ts'
import { findDifference, sampledFrames } from './likeness.ts'
import { prefetch } from './prefetch.ts'
import type { RasterPage } from './raster-page.ts'
import type { RawPictures } from './raw-pictures.ts'

/** The page draws itself as an element in a worker; raw pixels come through a file in memory. */
export const rasterKind: LaneKind = {
  name: 'raster',
  frameControl: false,
  formats: (alpha) => (alpha ? ['rgba'] : ['yuv420p', 'rgba']),
}

/** Frames asked for ahead of the reader. */
const AHEAD = 3

/** What the frames of a range are taken from. */
export interface RasterSource {
  readonly raster: RasterPage
  readonly raw: RawPictures
  readonly range: Segment
  /** The last frame of the whole composition. */
  readonly last: number
  /** A page of the same composition that shows a frame and has no canvas around it. */
  reference(frame: number): Promise<CompositionPage>
}

/** Where a range ended early: the page cannot be captured so from the frame on; all frames before were right. */
export interface RasterEnd {
  readonly frame: number
  readonly reason: string
}

/** Screenshots of the sampled frames, the next one under way while the frames before it are captured. */
const createSamples = ({ range, raw, last, reference }: RasterSource) => {
  const frames = sampledFrames(range.start, range.frames, last)
  const pictureOf = async ({ page }: CompositionPage, frame: number): Promise<Uint8Array> => {
    const taken = page.send('Page.captureScreenshot', imageSettings('png'))
    const { data } = await page.alive(taken, `drawing frame ${frame}`, 'VID_FRAME_NOT_DRAWN')
    return raw.decode(Buffer.from(data, 'base64'))
  }
  let next: Promise<Uint8Array> | undefined
  const start = () => {
    const [frame] = frames
    if (frame === undefined) return
    next = reference(frame).then((composition) => pictureOf(composition, frame))
    next.catch(() => undefined)
  }
  start()
  return {
    /** Why the pixels of a frame are wrong; undefined when they are right or the frame is not sampled. */
    async check(frame: number, pixels: Uint8Array): Promise<string | undefined> {
      if (frame !== frames[0] || !next) return undefined
      const picture = await next
      frames.shift()
      start()
      return findDifference(picture, pixels, raw)
    },
    settle: () => Promise.allSettled([next]),
  }
}

/**
 * Gives the frames of a range, or ends early with the frame that cannot be had this way. A sampled frame that is wrong
 * after others were given is an error: those may be wrong too.
 */
export async function* rasterFrames(source: RasterSource): AsyncGenerator<Frame, RasterEnd | undefined> {
  const { raster, range, raw } = source
  const { format } = raw
  const samples = createSamples(source)
  let data: Uint8Array | undefined
  try {
    const asked = prefetch(range.frames, AHEAD, async (index) => {
      const frame = range.start + index
      await raster.reach(frame)
      const answer = raster.take(frame, format, index === 0)
      answer.catch(() => undefined)
      return { index: frame, answer }
    })
    for await (const { index, answer } of asked) {
      const taken = await answer
      if (typeof taken === 'object') return { frame: index, reason: taken.unfit }
      const repeat = taken === 'repeat' && data !== undefined
      if (!repeat || !data) data = await raster.read(index, format)
      const difference = await samples.check(index, data)
      if (difference !== undefined) {
        const reason = `frame ${index} is drawn otherwise than in a screenshot: ${difference}`
        if (index === range.start) return { frame: index, reason }
        throw captureFailure('VID_LANE_UNFIT', { reason })
      }
      yield { index, format, data, ...(repeat && { repeat }) }
    }
    return undefined
  } finally {
    await samples.settle()
  }
}
