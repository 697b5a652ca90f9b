import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFfmpeg, probeMedia, runProcess } from '@vid/ffmpeg'

/** A plain picture differs from the other by all that is in it; another encoding of the same one by a few hundredths. */
const MAX_MISSING = 0.1

/** Mean squares of what a picture shows beside its mean colour, and of where another one differs, given by their samples. */
const squaresOf = ([reference, other]) => {
  if (reference.length !== other.length || reference.length === 0)
    throw new Error(`pictures of ${reference.length} and ${other.length} samples cannot be compared`)
  let sum = 0
  let squares = 0
  let errors = 0
  for (let index = 0; index < reference.length; index += 1) {
    sum += reference[index]
    squares += reference[index] ** 2
    errors += (reference[index] - other[index]) ** 2
  }
  const mean = sum / reference.length
  return { shown: squares / reference.length - mean ** 2, error: errors / reference.length }
}

/** How like pairs of pictures are: their PSNR in dB, and the part of what the first ones show that the others miss. */
export const comparePictures = (pairs) => {
  const squares = pairs.map(squaresOf)
  const [shown, error] = ['shown', 'error'].map(
    (name) => squares.reduce((sum, square) => sum + square[name], 0) / pairs.length,
  )
  return { psnr: 10 * Math.log10(255 ** 2 / Math.max(error, 1e-9)), missing: error / Math.max(shown, 1) }
}

/** Whether two pictures are of the same thing. */
export const isSamePicture = ({ missing }) => missing < MAX_MISSING

/** The likeness of two videos, by three frames of each. */
export const compareVideos = async (reference, other, work, signal) => {
  const { ffmpeg } = await findFfmpeg({ signal })
  const { frames } = (await probeMedia(reference, { signal })).video[0]
  const decode = async (video, frame) => {
    const raw = join(work, 'frame.raw')
    const pick = ['-vf', `select=eq(n\\,${frame})`, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24']
    await runProcess(ffmpeg, ['-nostdin', '-v', 'error', '-y', '-i', video, ...pick, raw], signal)
    return readFileSync(raw)
  }
  const pairs = []
  for (const part of [0.25, 0.5, 0.75]) {
    const frame = Math.floor(frames * part)
    pairs.push([await decode(reference, frame), await decode(other, frame)])
  }
  return comparePictures(pairs)
}
