import { type Frame, sampledFrames, type Verification } from '@vid/kernel'
import { type RenderPlan, secondsOf } from '@vid/protocol'
import { debugLog } from '@vid/system'
import type { FfmpegTools } from '../tools/find.ts'
import { contrastOf, distanceOf, type SmallPicture } from './picture-measure.ts'
import { readSmall, type SmallPictures, type VideoPictures } from './small-pictures.ts'

/** Contrast up to which a picture has one colour. */
const PLAIN = 2

/** Contrast of a small picture that no codec takes away altogether. */
const KEPT = 24

/** Distances of 255, on average and in one block: four times the largest that any quality of a format makes. */
const FAR = { mean: 10, largest: 36 }

const isFar = (one: SmallPicture, other: SmallPicture) => {
  const { mean, largest } = distanceOf(one, other)
  return mean > FAR.mean || largest > FAR.largest
}

/** Rate factor above which, and bits for each pixel below which, an encoder may take away most of a picture. */
const COARSE = { crf: 40, bits: 0.03 }

/** Whether the request asked for so few bits that a picture may look unlike the page without any fault. */
const isCoarse = ({ encoder, width, height, fps }: RenderPlan): boolean => {
  const { crf, bitrate } = encoder.settings as { readonly crf?: unknown; readonly bitrate?: unknown }
  if (typeof bitrate === 'number') return (bitrate * secondsOf(1, fps)) / (width * height) < COARSE.bits
  return typeof crf === 'number' && crf > COARSE.crf
}

const LOST = 'its picture is one colour, and the page is not'

/** What is wrong with pictures of a video, given what was captured. */
const compare = ({ shown, captured }: SmallPictures, indexes: readonly number[], plan: RenderPlan): string[] => {
  const coarse = isCoarse(plan)
  const pairs = captured.flatMap((page, at) => {
    const picture = shown[at]
    return picture ? [{ page, picture, frame: indexes[at] ?? 0 }] : []
  })
  for (const { page, picture, frame } of pairs)
    debugLog('ffmpeg')?.(
      `frame ${frame}: ${JSON.stringify(distanceOf(picture, page))}, contrast ${contrastOf(picture)} of ${contrastOf(page)}`,
    )
  if (pairs.length < indexes.length) return [`its frame ${indexes[pairs.length]} cannot be read`]
  const isLost = pairs.every(({ page, picture }) => {
    if (contrastOf(picture) > PLAIN || contrastOf(page) <= PLAIN) return false
    const [isClear, isOther] = [contrastOf(page) > KEPT, isFar(page, picture)]
    return coarse ? isClear && isOther : isClear || isOther
  })
  if (isLost) return [LOST]
  if (coarse) return []
  return pairs
    .filter(({ page, picture }) => isFar(page, picture))
    .map(({ frame }) => `its frame ${frame} is not the picture that was captured`)
}

/**
 * What is wrong with the pictures of a finished video. It is compared with the frames that were kept when it was
 * captured. Without them, only a picture of one colour is suspected, and `frame` captures that of the page again.
 */
export const pictureProblems = async (
  { plan, samples }: Pick<Verification, 'plan' | 'samples'>,
  video: VideoPictures,
  tools: FfmpegTools,
  frame: (index: number) => Promise<Frame | undefined>,
): Promise<string[]> => {
  const indexes = samples.map(({ index }) => index)
  if (samples.length > 0) return compare(await readSmall(video, indexes, samples, tools), indexes, plan)
  const [first = 0] = sampledFrames(plan)
  const { shown } = await readSmall(video, [first], [], tools)
  if (shown[0] && contrastOf(shown[0]) > PLAIN) return []
  const page = await frame(first)
  return page ? compare(await readSmall(video, [first], [page], tools), [first], plan) : [LOST]
}
