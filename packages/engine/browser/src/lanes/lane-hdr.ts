import { hdrPainter } from '@vid/ffmpeg'
import type { Frame } from '@vid/kernel'
import type { Hdr, RenderPlan, Segment } from '@vid/protocol'
import type { BlankReport } from '@vid/runtime'
import { captureWarning } from '../capture-warnings.ts'
import { imageSettings, type LaneKind } from '../driver/lane.ts'
import type { CompositionPage } from '../page/composition-page.ts'
import { callPage } from '../page/page-call.ts'
import { pictureSize } from '../pictures/picture-size.ts'
import { decodeScreenshot } from '../pictures/png.ts'
import { takeFrame } from './lane-begin-frame.ts'
import { prefetch } from './prefetch.ts'

/** Frames taken ahead of the reader. */
const AHEAD = 2

const settings = imageSettings('png')

const NOTHING: BlankReport = { shown: false, unfit: {} }

/** A screenshot of the page, in base64. */
const takePicture = async (kind: LaneKind, { page, ticks }: CompositionPage, frame: number, part: number) => {
  if (!kind.frameControl) return page.screenshot(settings)
  return takeFrame(page, ticks, { frame, part, settings })
}

/**
 * Captures the frames of a range in the transfer function of an HDR plan. A page cannot show brightness above white: each
 * frame is captured twice, with its HDR videos darkened and with them black, and the difference is brightened again.
 */
export async function* captureHdrFrames(
  kind: LaneKind,
  composition: CompositionPage,
  range: Pick<Segment, 'start' | 'frames'>,
  { media }: Pick<RenderPlan, 'media'>,
  hdr: Hdr,
): AsyncGenerator<Frame> {
  const { config, reduction } = composition.page
  const drawn = pictureSize(config)
  const paint = hdrPainter(hdr, { width: drawn.width / reduction, height: drawn.height / reduction })
  const ids = media.filter(({ source }) => source.picture?.hdr).map(({ id }) => id)
  const { warn } = composition
  const blankVideos = (frame: number) =>
    callPage(composition.page, { doing: `showing frame ${frame}` }, 'blankVideos', ids)
  let before: { readonly page: string; readonly blank: string | undefined; readonly data: Uint8Array } | undefined
  const take = async (frame: number): Promise<Frame> => {
    const page = await takePicture(kind, composition, frame, 1)
    const { shown, unfit } = ids.length > 0 ? await blankVideos(frame) : NOTHING
    for (const [id, reason] of Object.entries(unfit))
      warn(captureWarning('VID_HDR_UNFIT', { src: media.find((track) => track.id === id)?.src ?? id, reason }))
    const blank = shown ? await takePicture(kind, composition, frame, 2) : undefined
    if (before && before.page === page && before.blank === blank)
      return { index: frame, format: 'yuv420p10', data: before.data, repeat: true }
    const pixels = (image: string) => decodeScreenshot(Buffer.from(image, 'base64')).data
    const data = paint(pixels(page), blank === undefined ? undefined : pixels(blank))
    before = { page, blank, data }
    return { index: frame, format: 'yuv420p10', data }
  }
  yield* prefetch(range.frames, AHEAD, async (index) => {
    const frame = range.start + index
    await composition.seek(frame, true)
    return composition.page.alive(take(frame), `drawing frame ${frame}`, 'VID_FRAME_NOT_DRAWN')
  })
  await composition.reportErrors()
}
