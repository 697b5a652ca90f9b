import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../fixtures/sliding-bar.ts'
import { findFfmpeg, packetColour, readSource, runProcess, startExtraction, startProcess } from '../index.ts'

const { signal } = new AbortController()
const ONE = 65_536

/** Makes a video of four quarters, red and green above blue and white, and gives its track a display matrix. */
const makeTurned = async (matrix: readonly [a: number, b: number, c: number, d: number]) => {
  const { ffmpeg } = await findFfmpeg()
  const file = join(await scratch(), 'video.mp4')
  const quarters = ['red', 'lime', 'blue', 'white'].flatMap((colour) => [
    '-f',
    'lavfi',
    '-i',
    `color=${colour}:s=32x32:d=0.3`,
  ])
  const graph = ['-filter_complex', '[0][1]hstack[a];[2][3]hstack[b];[a][b]vstack']
  const codec = ['-c:v', 'libx264', '-crf', '1', '-pix_fmt', 'yuv420p', '-color_range', 'tv']
  await runProcess(ffmpeg, ['-v', 'error', ...quarters, ...graph, ...codec, file], signal)
  const bytes = await readFile(file)
  // After the type: version, five numbers, two more, and four short ones.
  const place = bytes.indexOf('tkhd', 0, 'latin1') + 4 + 40
  const [a, b, c, d] = matrix
  for (const [index, value] of [a, b, 0, c, d, 0].entries()) bytes.writeInt32BE(value * ONE, place + index * 4)
  await writeFile(file, bytes)
  return file
}

/** The colours of the quarters of a source's first frame, as a browser gets it. */
const shownQuarters = async (file: string): Promise<string> => {
  const tools = await findFfmpeg()
  const source = await readSource(file)
  if (!source.picture) throw new Error('no picture')
  const folder = join(await scratch(), 'frames')
  await mkdir(folder)
  const job = { source: { ...source, picture: source.picture }, frameFormat: 'png', folder, tools, signal } as const
  const child = await startExtraction({ ...job, fromTick: 0, count: 1, stride: 1 })
  await child.succeeded()
  const scale = ['-vf', 'scale=2:2:flags=area,format=rgb24', '-f', 'rawvideo', '-']
  const reading = startProcess(tools.ffmpeg, ['-v', 'error', '-i', join(folder, '0.png'), ...scale], signal)
  reading.stdin.end()
  const chunks: Buffer[] = []
  for await (const chunk of reading.stdout) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const bits = (at: number) => [0, 1, 2].map((channel) => ((bytes[at * 3 + channel] ?? 0) > 128 ? 1 : 0)).join('')
  const names: Record<string, string> = { '100': 'red', '010': 'lime', '001': 'blue', '111': 'white' }
  return [0, 1, 2, 3].map((quarter) => names[bits(quarter)]).join(' ')
}

test.each([
  ['as it is stored', [1, 0, 0, 1], 'red lime blue white'],
  ['turned over at an upright axis', [-1, 0, 0, 1], 'lime red white blue'],
  ['turned over at a level axis', [1, 0, 0, -1], 'blue white red lime'],
  ['turned over at the diagonal of the left top', [0, 1, 1, 0], 'red blue lime white'],
  ['turned over at the other diagonal', [0, -1, -1, 0], 'white lime blue red'],
  ['turned by half', [-1, 0, 0, -1], 'white blue lime red'],
] as const)('a video is shown %s, with any ffmpeg', async (_name, matrix, colours) => {
  const file = await makeTurned(matrix)
  expect(await shownQuarters(file)).toBe(colours)
  const isUpright = matrix.join() === '1,0,0,1'
  // A browser that decodes its packets knows nothing of the matrix.
  expect(packetColour((await readSource(file)).picture) !== undefined).toBe(isUpright)
})
