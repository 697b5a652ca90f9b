import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Frame, FrameFormat } from '@vid/kernel'
import { expect, test } from 'vitest'
import { everyFfmpeg, scratch, solid } from '../fixtures/sliding-bar.ts'
import { bt709AlphaFilter, bt709Filter, bt709Tags, decodeFrames, encodeFrames, type FfmpegTools } from '../index.ts'

const COLOURS = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
  [128, 128, 128],
  [230, 120, 20],
]
const SIZES = [
  { width: 64, height: 48 },
  { width: 51, height: 37 },
  { width: 1, height: 1 },
]
/** As a browser writes images: PNG in RGB, JPEG in full-range bt601. */
const IMAGE_ARGS = {
  png: ['-pix_fmt', 'rgb24', '-c:v', 'png'],
  jpeg: ['-vf', 'scale=out_color_matrix=bt601:out_range=full', '-pix_fmt', 'yuvj444p', '-q:v', '1', '-c:v', 'mjpeg'],
}
interface Size {
  readonly width: number
  readonly height: number
}

const pictureOf = (format: FrameFormat, { width, height }: Size, colour: number[], { ffmpeg }: FfmpegTools) => {
  const pixels = solid(width, height, colour)
  if (format !== 'png' && format !== 'jpeg') return pixels
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-video_size', `${width}x${height}`, '-i', 'pipe:0']
  return execFileSync(ffmpeg, ['-v', 'error', ...input, ...IMAGE_ARGS[format], '-f', 'image2pipe', 'pipe:1'], {
    input: pixels,
  })
}

const cases = (await everyFfmpeg()).flatMap((tools) =>
  (['rgba', 'png', 'jpeg'] as const).flatMap((format) =>
    SIZES.map((size) => ({ tools, format, ...size, source: tools.source })),
  ),
)

test.each(cases)('$format of $width×$height keeps its colours to the edge, by the $source ffmpeg', async (example) => {
  const { tools, format, width, height } = example
  const file = join(await scratch(), 'patches.mp4')
  async function* frames(): AsyncGenerator<Frame> {
    for (const [index, colour] of COLOURS.entries())
      yield { index, format, data: pictureOf(format, example, colour, tools) }
  }
  const outputArgs = () => [
    '-vf',
    bt709Filter(format, width, height),
    ...bt709Tags,
    '-c:v',
    'libx264',
    '-crf',
    '1',
    '-f',
    'mp4',
  ]
  const signal = new AbortController().signal
  await encodeFrames({
    frames: frames(),
    width,
    height,
    fps: 30,
    outputArgs,
    outputPath: file,
    signal,
    tools,
  })
  const decoded: Uint8Array[] = []
  for await (const frame of decodeFrames(file, { pixFmt: 'rgb24' })) decoded.push(frame)
  expect(decoded).toHaveLength(COLOURS.length)
  for (const [index, frame] of decoded.entries()) {
    const even = { width: width + (width % 2), height: height + (height % 2) }
    expect(frame).toHaveLength(even.width * even.height * 3)
    for (const offset of [0, frame.length - 3])
      for (const channel of [0, 1, 2])
        expect(Math.abs((frame[offset + channel] ?? -99) - (COLOURS[index]?.[channel] ?? 999))).toBeLessThanOrEqual(3)
  }
})

test.each(await everyFfmpeg())('every alpha arrives as it was, with $source ffmpeg $version', ({ ffmpeg }) => {
  const ramp = Uint8Array.from({ length: 256 * 16 * 4 }, (_, index) => (index % 4 < 3 ? 100 : index >> 6))
  const planesOf = (pixFmt: 'yuva420p' | 'yuva444p10le') => {
    const input = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-video_size', '16x256', '-i', 'pipe:0']
    const output = ['-vf', bt709AlphaFilter(pixFmt), '-f', 'rawvideo', 'pipe:1']
    return execFileSync(ffmpeg, ['-v', 'error', ...input, ...output], { input: ramp })
  }
  const alphas = Array.from({ length: 256 }, (_, alpha) => alpha)
  const eight = planesOf('yuva420p').subarray(-16 * 256)
  expect(alphas.map((alpha) => eight[alpha * 16 + 8])).toEqual(alphas)
  const ten = planesOf('yuva444p10le').subarray(-16 * 256 * 2)
  for (const alpha of alphas)
    expect(Math.abs(ten.readUInt16LE((alpha * 16 + 8) * 2) - (alpha * 1023) / 255), `${alpha}`).toBeLessThanOrEqual(2)
  // Luma of a grey of 100, in limited range.
  expect(planesOf('yuva420p')[0]).toBe(16 + Math.round((100 * 219) / 255))
})
