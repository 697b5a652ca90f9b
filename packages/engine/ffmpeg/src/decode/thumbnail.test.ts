import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFfmpeg, runProcess, writeThumbnail } from '../index.ts'

const { signal } = new AbortController()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-thumbnail-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** One second of red, then one of blue. */
const makeVideo = async (size: string) => {
  const { ffmpeg } = await findFfmpeg()
  const colours = ['red', 'blue'].flatMap((name) => ['-f', 'lavfi', '-i', `color=${name}:s=${size}:r=10:d=1`])
  const file = join(folder, `${size}.mp4`)
  const join2 = ['-filter_complex', 'concat=n=2', '-c:v', 'libx264', '-pix_fmt', 'yuv420p']
  await runProcess(ffmpeg, ['-v', 'error', '-y', ...colours, ...join2, file], signal)
  return file
}

const pixelsOf = async (file: string) => {
  const { ffmpeg } = await findFfmpeg()
  const raw = `${file}.rgb`
  await runProcess(ffmpeg, ['-v', 'error', '-i', file, '-f', 'rawvideo', '-pix_fmt', 'rgb24', raw], signal)
  return readFile(raw)
}

test.each([
  ['320x180', 64, 0.5, 64 * 36, [1, 0, 0]],
  ['180x320', 64, 1.5, 64 * 36, [0, 0, 1]],
  ['32x18', 64, 1.9, 32 * 18, [0, 0, 1]],
] as const)(
  'a thumbnail of %s at most %i wide shows the frame of %d s',
  async (size, maxSide, seconds, pixels, colour) => {
    const path = join(folder, `${size}.jpg`)
    await writeThumbnail({ file: await makeVideo(size), path, seconds, maxSide, signal })
    expect((await readFile(path)).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
    const bytes = await pixelsOf(path)
    expect(bytes.length).toBe(pixels * 3)
    expect(
      [0, 1, 2].map((channel) => Math.round((bytes[bytes.length / 2 + channel - ((bytes.length / 2) % 3)] ?? 0) / 255)),
    ).toEqual(colour)
  },
)

test('a file that is no video leaves nothing', async () => {
  const file = join(folder, 'text.mp4')
  await writeFile(file, 'no video')
  const path = join(folder, 'none.jpg')
  await expect(writeThumbnail({ file, path, seconds: 0, maxSide: 64, signal })).rejects.toMatchObject({
    code: 'VID_FFMPEG_PROBE',
  })
  expect((await readdir(folder)).filter((name) => name.startsWith('none'))).toEqual([])
})
