import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, startProcess } from '@vid/ffmpeg'
import { scratch } from './vid.ts'

/** What a moving image shows one after the other, for a quarter of a second each. */
export const STEPS = ['#d03020', '#20a040', '#3050d0', '#d0b020'] as const

const WIDTH = 40
const HEIGHT = 30

const channels = (colour: string): number[] =>
  [1, 3, 5].map((offset) => Number.parseInt(colour.slice(offset, offset + 2), 16))

/** A step's pixels; with alpha, the right half is clear and the left half lets through half of what is behind it. */
const draw = (colour: string, alpha: boolean): Uint8Array => {
  const pixel = (x: number) => [...channels(colour), alpha ? (x < WIDTH / 2 ? 128 : 0) : 255]
  const row = Array.from({ length: WIDTH }, (_, x) => pixel(x)).flat()
  return Uint8Array.from({ length: HEIGHT * row.length }, (_, index) => row[index % row.length] ?? 0)
}

const PALETTE = ['-vf', 'split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none']
const WEBP = ['-c:v', 'libwebp_anim', '-lossless', '1']

const FILES = {
  'loop.gif': { args: [...PALETTE, '-loop', '0'] },
  'once.gif': { args: [...PALETTE, '-loop', '-1'] },
  'twice.png': { args: ['-plays', '2', '-f', 'apng'] },
  'clear.png': { args: ['-plays', '0', '-f', 'apng'], alpha: true },
  'loop.webp': { args: [...WEBP, '-loop', '0'] },
} as const satisfies Record<string, { args: readonly string[]; alpha?: boolean }>

/** Makes the images of the tests, by file name. */
export const makeMovingImages = async (): Promise<Record<keyof typeof FILES, Uint8Array>> => {
  const [folder, { ffmpeg }] = await Promise.all([scratch(), findFfmpeg()])
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', `${WIDTH}x${HEIGHT}`, '-r', '4', '-i', 'pipe:0']
  const entries = Object.entries(FILES).map(async ([name, source]) => {
    const file = join(folder, name)
    const child = startProcess(ffmpeg, ['-v', 'level+error', ...raw, ...source.args, '-y', file], undefined)
    child.stdout.resume()
    for (const colour of STEPS) child.stdin.write(draw(colour, 'alpha' in source))
    child.stdin.end()
    await child.succeeded()
    return [name, await readFile(file)]
  })
  return Object.fromEntries(await Promise.all(entries)) as Record<keyof typeof FILES, Uint8Array>
}
