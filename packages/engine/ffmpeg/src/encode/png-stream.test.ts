import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Frame } from '@vid/kernel'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { encodePngs, readPngs, writeMedia } from '../index.ts'

const idle = new AbortController().signal
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-pngs-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Noise, which no packing makes small; from frame `still` on the same. */
async function* noise(count: number, still = count): AsyncGenerator<Frame> {
  let data = new Uint8Array()
  for (let index = 0; index < count; index++) {
    if (index > still) {
      yield { index, format: 'rgba', data, repeat: true }
      continue
    }
    let state = index + 1
    data = new Uint8Array(400 * 300 * 4).map(() => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state >>> 24
    })
    yield { index, format: 'rgba', data }
  }
}
const make = async (count: number, still = count) => {
  const file = join(folder, 'images')
  const job = {
    frames: noise(count, still),
    width: 400,
    height: 300,
    fps: 30,
    outputPath: file,
    signal: idle,
  }
  await encodePngs(job, { level: 1, pred: 'up' })
  return file
}
const imagesOf = async (file: string) => {
  const images: Buffer[] = []
  for await (const image of readPngs(file, idle)) images.push(Buffer.from(image))
  return images
}

test('images are read back one by one, also across chunk boundaries', async () => {
  const file = await make(8)
  const images = await imagesOf(file)
  const bytes = await readFile(file)
  expect(bytes.length).toBeGreaterThan(2 ** 20)
  expect(images).toHaveLength(8)
  expect(bytes.indexOf(Buffer.concat(images))).toBe(0)
  for (const image of images) {
    expect(image.subarray(1, 4).toString()).toBe('PNG')
    expect(image.subarray(-8, -4).toString()).toBe('IEND')
  }
})

test('a repeated frame is encoded once and read back as many times as it is shown', async () => {
  const still = await imagesOf(await make(9, 2))
  const bytes = await readFile(join(folder, 'images'))
  const moving = await imagesOf(await make(3))
  expect(still).toHaveLength(9)
  for (const [index, image] of still.entries())
    expect(image.equals(moving[Math.min(index, 2)] ?? Buffer.alloc(0))).toBe(true)
  expect(bytes.length).toBe((await readFile(join(folder, 'images'))).length)
  expect(await readdir(folder)).toEqual(['images'])
})

test('a file that ends within an image is an error', async () => {
  const file = await make(2)
  await writeFile(file, (await readFile(file)).subarray(0, -5))
  await expect(imagesOf(file)).rejects.toMatchObject({
    code: 'VID_FFMPEG_PROBE',
    message: expect.stringContaining('within an image'),
  })
})

test('a failed write leaves nothing, and a file system error has a code', async () => {
  const path = join(folder, 'out')
  const failure = writeMedia(path, idle, async (partial) => {
    await writeFile(partial, 'half')
    await writeFile(join(partial, 'below'), 'a file is no folder')
  })
  await expect(failure).rejects.toMatchObject({
    code: 'VID_MEDIA_WRITE',
    message: expect.stringContaining('ENOTDIR'),
  })
  const stopped = new AbortController()
  const late = writeMedia(path, stopped.signal, async (partial) => {
    await writeFile(partial, 'whole')
    stopped.abort(new Error('enough'))
  })
  await expect(late).rejects.toThrow('enough')
  expect(await readdir(folder)).toEqual([])
})
