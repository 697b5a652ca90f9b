import type { Frame, FrameFormat } from '@vid/kernel'
import type { Segment } from '@vid/protocol'
import type { Lane, LaneKind } from '../driver/lane.ts'
import type { CompositionPage } from '../page/composition-page.ts'
import { openBeginFrameLane } from './lane-begin-frame.ts'
import { openScreenshotLane } from './lane-screenshot.ts'
import { prefetch } from './prefetch.ts'
import type { RawPictures } from './raster/raw-pictures.ts'

/** Frames captured ahead of the reader. */
const AHEAD = 2

const openLane = (kind: LaneKind, composition: CompositionPage, format: FrameFormat): Lane =>
  kind.frameControl ? openBeginFrameLane(composition, format) : openScreenshotLane(composition.page, format)

/** Captures the frames of a range as images. */
export async function* imageFrames(
  kind: LaneKind,
  composition: CompositionPage,
  range: Pick<Segment, 'start' | 'frames'>,
  format: FrameFormat,
): AsyncGenerator<Frame> {
  const lane = openLane(kind, composition, format)
  try {
    yield* prefetch(range.frames, AHEAD, async (index) => {
      const frame = range.start + index
      await composition.seek(frame, lane.takesNext())
      return composition.page.alive(lane.capture(frame), `drawing frame ${frame}`, 'VID_FRAME_NOT_DRAWN')
    })
    await composition.reportErrors()
  } finally {
    await lane.close()
  }
}

/** Decodes images to raw pixels, for a range that started with raw pixels. */
export async function* rawFrames(images: AsyncIterable<Frame>, raw: RawPictures): AsyncGenerator<Frame> {
  let data: Uint8Array | undefined
  for await (const { data: image, ...frame } of images) {
    if (!frame.repeat || !data) data = await raw.decode(image)
    yield { ...frame, format: raw.format, data }
  }
}
