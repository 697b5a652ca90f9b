import type { Frame } from '@vid/kernel'
import type { LaneKind } from '../driver/lane.ts'
import { pictureSize } from '../pictures/picture-size.ts'
import { createFrameComparison } from './frame-samples.ts'
import { createPictureBuffers } from './raster/picture-buffers.ts'
import type { RasterSource } from './raster-source.ts'

/** The page draws itself as an element in a worker; the raw pixels are read from a file in memory. */
export const rasterKind: LaneKind = {
  name: 'raster',
  frameControl: false,
  formats: (alpha) => (alpha ? ['yuva420p', 'rgba'] : ['yuv420p', 'rgba']),
}

/** The frame at which a range ended early: the raster lane cannot capture it; all earlier frames are correct. */
export interface RasterEnd {
  readonly frame: number
  readonly reason: string
}

/**
 * Captures the frames of a range, or ends early at a frame that this lane cannot capture. A wrong sampled frame
 * throws VID_LANE_UNFIT at once, since earlier frames may be wrong too.
 */
export async function* rasterFrames(source: RasterSource): AsyncGenerator<Frame, RasterEnd | undefined> {
  const { raster, range, raw, later = 0, end = () => range.start + range.frames } = source
  const { format } = raw
  const pictures = createPictureBuffers(format, pictureSize(raster.page.config))
  const samples = createFrameComparison(source)
  let index = range.start
  let data: Uint8Array = new Uint8Array()
  const give = (repeat: boolean, isHappening = false): Frame => {
    samples.note(index, isHappening)
    return { index: index++, format, data, ...(repeat && { repeat }) }
  }
  try {
    for await (const run of raster.take(range, { format, keep: samples.planned, end, later })) {
      const { repeats, last, isHappening, read } = run
      for (let left = repeats; left > 0 && index < end(); left--) yield give(true)
      // What was requested before the range became shorter belongs to another page.
      const shown = index < end() ? last : undefined
      if (typeof shown === 'object' && 'unfit' in shown) {
        await samples.end()
        return { frame: index, reason: shown.unfit }
      }
      if (shown !== undefined && shown !== 'repeat') {
        const picture = pictures.next(shown.drawn)
        await read(picture.parts)
        data = picture.data
      }
      if (shown !== undefined) yield give(shown === 'repeat', isHappening)
      await samples.room()
      if (index >= end()) break
    }
    await samples.end()
    return undefined
  } finally {
    await samples.settle()
  }
}
