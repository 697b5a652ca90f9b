import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, startProcess } from '@vid/ffmpeg'
import { here } from './vid.ts'

/** Colour of each second of a source, as red, green, blue. */
export const COLOURS = [
  [208, 48, 32],
  [32, 160, 64],
  [48, 80, 208],
  [208, 176, 32],
] as const

/** Where the blocks of a source's frame number stand; 8 of them, the lowest bit first. */
export const BLOCKS = { left: 4, step: 18, width: 16, top: 4, height: 40 } as const

const WIDTH = 320
const HEIGHT = 180
const SECONDS = 4

/** One picture: the colour of its second and its number in blocks; with alpha, the right half is clear. */
const draw = (frame: number, fps: number, alpha: boolean): Uint8Array => {
  const pixels = new Uint8Array(WIDTH * HEIGHT * 4)
  const fill = (left: number, top: number, width: number, height: number, colour: readonly number[]) => {
    const row = Uint8Array.from({ length: width * 4 }, (_, index) => colour[index % 4] ?? 255)
    for (let y = top; y < top + height; y++) pixels.set(row, (y * WIDTH + left) * 4)
  }
  fill(0, 0, WIDTH, HEIGHT, COLOURS[Math.floor(frame / fps)] ?? [])
  if (alpha) fill(WIDTH / 2, 0, WIDTH / 2, HEIGHT, [0, 0, 0, 0])
  const { left, step, width, top, height } = BLOCKS
  for (let bit = 0; bit < 8; bit++) {
    const shade = (frame >> bit) & 1 ? 255 : 0
    fill(left + bit * step, top, width, height, [shade, shade, shade])
  }
  return pixels
}

const BT709 = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv']
/** Some encoders take the tags of the frames, not those of the command line. */
const TAGS = 'setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv'
const X264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '6', '-bf', '2']

interface Source {
  readonly fps: number
  readonly pixFmt: string
  readonly args: readonly string[]
  readonly alpha?: boolean
  readonly filter?: string
}

/** The sources of the tests by file name. */
const SOURCES = {
  'h264.mp4': { fps: 30, pixFmt: 'yuv420p', args: X264 },
  'hevc.mp4': {
    fps: 30,
    pixFmt: 'yuv420p',
    args: ['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '6', '-x265-params', 'log-level=none'],
  },
  'prores.mov': {
    fps: 25,
    pixFmt: 'yuv422p10le',
    // Older ffmpeg writes the tags only with this option.
    args: ['-c:v', 'prores_ks', '-profile:v', '2', '-movflags', '+write_colr'],
  },
  'alpha.webm': {
    fps: 30,
    pixFmt: 'yuva420p',
    alpha: true,
    args: [
      '-c:v',
      'libvpx-vp9',
      '-crf',
      '8',
      '-b:v',
      '0',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-auto-alt-ref',
      '0',
    ],
  },
  'vp8.webm': {
    fps: 30,
    pixFmt: 'yuva420p',
    alpha: true,
    args: ['-c:v', 'libvpx', '-b:v', '20M', '-qmin', '0', '-qmax', '4', '-deadline', 'realtime', '-auto-alt-ref', '0'],
  },
  'film.mp4': { fps: 24, pixFmt: 'yuv420p', args: X264 },
  'ntsc.mp4': { fps: 60_000 / 1001, pixFmt: 'yuv420p', args: X264 },
  // Every third frame is gone, and the others keep their times.
  'vfr.mp4': { fps: 30, pixFmt: 'yuv420p', filter: 'select=mod(n\\,3)', args: ['-vsync', '0', ...X264] },
} as const satisfies Record<string, Source>

export type SourceName = keyof typeof SOURCES

const makeSource = async (ffmpeg: string, file: string, source: Source) => {
  const { fps, pixFmt, args, alpha = false, filter } = source
  const scale = `scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd,format=${pixFmt},${TAGS}`
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', `${WIDTH}x${HEIGHT}`, '-r', String(fps), '-i', 'pipe:0']
  const filters = ['-vf', [filter, scale].filter(Boolean).join(',')]
  const child = startProcess(
    ffmpeg,
    ['-v', 'level+error', ...input, ...filters, ...args, ...BT709, '-y', file],
    undefined,
  )
  child.stdout.resume()
  for (let frame = 0; frame < fps * SECONDS; frame++) child.stdin.write(draw(frame, fps, alpha))
  child.stdin.end()
  await child.succeeded()
}

/** Folder of encoded sources, which all test runs share. */
const cache = here('../node_modules/.cache/vid-e2e')

/** Names the file of a source by everything that determines its bytes. */
const cachedName = async (ffmpeg: string, name: SourceName): Promise<string> => {
  const { size, mtimeMs } = await stat(ffmpeg)
  const drawing = [`${draw}`, BLOCKS, COLOURS, WIDTH, HEIGHT, SECONDS]
  const parts = JSON.stringify([SOURCES[name], BT709, TAGS, drawing, ffmpeg, size, mtimeMs])
  return `${createHash('sha256').update(parts).digest('hex').slice(0, 16)}-${name}`
}

/** The file of a source, encoded if no test has done that before. */
const findSource = async (name: SourceName): Promise<string> => {
  const { ffmpeg } = await findFfmpeg()
  const file = join(cache, await cachedName(ffmpeg, name))
  if (existsSync(file)) return file
  const draft = join(cache, `making-${randomUUID()}`)
  await mkdir(draft, { recursive: true })
  try {
    await makeSource(ffmpeg, join(draft, name), SOURCES[name])
    await rename(join(draft, name), file)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return file
}

/** Makes test sources of 4 seconds in a folder. */
export const makeSources = async (folder: string, names: readonly SourceName[]): Promise<void> => {
  await mkdir(folder, { recursive: true })
  for (const name of names) await copyFile(await findSource(name), join(folder, name))
}
