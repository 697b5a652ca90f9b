import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Frame } from '@vid/kernel'
import { expect, test } from 'vitest'
import { scratch, scripted, slidingBar, solid } from '../fixtures/sliding-bar.ts'
import { decodeFrames, type EncodeInput, encodeFrames, findFfmpeg, probeMedia, steadyFilter } from '../index.ts'

const SIZE = { width: 64, height: 48 }
/** Frames that do not fit into a pipe, so that a third one proves that ffmpeg reads. */
const LARGE = { width: 512, height: 512 }
const outputArgs = () => ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-threads', '2', '-f', 'mp4']
const jobIn = (folder: string, changes: Partial<EncodeInput> = {}): EncodeInput => ({
  ...SIZE,
  frames: slidingBar({ ...SIZE, frames: 20 }),
  fps: 30,
  outputArgs,
  outputPath: join(folder, 'bar.mp4'),
  signal: new AbortController().signal,
  ...changes,
})
/** Frames without end, so that only something else can stop the encoder; calls back before each. */
async function* endless(
  before: (index: number) => void | Promise<void>,
  { width, height } = SIZE,
): AsyncGenerator<Frame> {
  for (let index = 0; ; index++) {
    await before(index)
    yield { index, format: 'rgba', data: solid(width, height, [index % 256, 0, 0]) }
  }
}

test('every frame is in the file', async () => {
  const folder = await scratch()
  expect(await encodeFrames(jobIn(folder))).toEqual({ frames: 20 })
  const { video } = await probeMedia(join(folder, 'bar.mp4'), { countFrames: true })
  expect(video).toMatchObject([{ codec: 'h264', ...SIZE, frames: 20, fps: { num: 30, den: 1 }, start: 0 }])
  expect(await readdir(folder)).toEqual(['bar.mp4'])
})

const gapArgs = () => ['-vf', steadyFilter(24), ...outputArgs()]
const embedded = await findFfmpeg({ env: { ...process.env, PATH: '' } })

test.each([
  ['preferred', await findFfmpeg()],
  ['embedded', embedded],
])('frames that repeat are shown without being sent, to the same bytes, by the %s ffmpeg', async (_, tools) => {
  const folder = await scratch()
  /** Two pictures with many repeats; with `lie`, repeats have pixels that must not be used. */
  async function* heldFrames(kind: 'plain' | 'marked' | 'lie'): AsyncGenerator<Frame> {
    for (let index = 0; index < 12; index++) {
      const isFirst = index === 0 || index === 7
      const colour: [number, number, number] = index < 7 ? [200, 30, 30] : [20, 180, 60]
      const data = solid(SIZE.width, SIZE.height, kind === 'lie' && !isFirst && index < 11 ? [0, 0, 255] : colour)
      yield { index, format: 'rgba', data, ...(kind !== 'plain' && !isFirst && { repeat: true }) }
    }
  }
  const bytesOf = async (kind: Parameters<typeof heldFrames>[0], fillsGaps: boolean) => {
    const outputPath = join(folder, `${kind}.mp4`)
    const job = jobIn(folder, {
      frames: heldFrames(kind),
      fps: 24,
      outputArgs: gapArgs,
      outputPath,
      fillsGaps,
      tools,
    })
    expect(await encodeFrames(job)).toEqual({ frames: 12 })
    return readFile(outputPath)
  }
  const plain = await bytesOf('plain', false)
  expect(plain.equals(await bytesOf('marked', true))).toBe(true)
  expect(plain.equals(await bytesOf('lie', true))).toBe(true)
  expect(plain.equals(await bytesOf('lie', false))).toBe(false)
})

test('a frame that repeats for long is sent again at intervals', async () => {
  const folder = await scratch()
  async function* still(): AsyncGenerator<Frame> {
    for (let index = 0; index < 40; index++)
      yield { index, format: 'rgba', data: solid(64, 48, [0, index * 5, 0]), repeat: index > 0 }
  }
  await encodeFrames(jobIn(folder, { frames: still(), outputArgs: gapArgs, fps: 24, fillsGaps: true }))
  const greens: number[] = []
  for await (const pixels of decodeFrames(join(folder, 'bar.mp4'), { pixFmt: 'rgba' }))
    greens.push(Math.round((pixels[1] ?? 0) / 5))
  expect(new Set(greens)).toEqual(new Set([0, 9, 18, 27, 36, 39]))
  expect(greens.slice(0, 10)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 9])
})

test('an error of the frames is rethrown unchanged, and no file is left', async () => {
  const folder = await scratch()
  const cause = new Error('the page crashed')
  const frames = endless((index) => {
    if (index === 5) throw cause
  })
  await expect(encodeFrames(jobIn(folder, { frames }))).rejects.toBe(cause)
  expect(await readdir(folder)).toEqual([])
})

test('an abort stops ffmpeg and leaves no file', async () => {
  const folder = await scratch()
  const aborting = new AbortController()
  const tools = await scripted(folder, 'echo $$ > "$0.pid"; exec "$FFMPEG" "$@"')
  const frames = endless((index) => {
    if (index === 5) aborting.abort('enough')
  }, LARGE)
  await expect(encodeFrames(jobIn(folder, { ...LARGE, frames, tools, signal: aborting.signal }))).rejects.toBe('enough')
  const pid = Number(await readFile(`${tools.ffmpeg}.pid`, 'utf8'))
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  expect(await readdir(folder)).not.toContain('bar.mp4.partial')
})

test('an abort takes effect while waiting for the first frame', async () => {
  const aborting = new AbortController()
  const frames = endless(() => {
    setImmediate(() => aborting.abort('enough'))
    return new Promise(() => {})
  })
  await expect(encodeFrames(jobIn(await scratch(), { frames, signal: aborting.signal }))).rejects.toBe('enough')
})

test('an abort just before the first frame takes effect', async () => {
  const aborting = new AbortController()
  const frames = {
    [Symbol.asyncIterator]() {
      aborting.abort('early')
      return endless(() => new Promise(() => {}))
    },
  }
  const encoding = encodeFrames(jobIn(await scratch(), { frames, signal: aborting.signal }))
  await expect(encoding).rejects.toBe('early')
})

test('with an aborted signal no process starts and no frame is requested', async () => {
  const folder = await scratch()
  const frames = endless(() => expect.unreachable())
  const encoding = encodeFrames(jobIn(folder, { frames, signal: AbortSignal.abort('before') }))
  await expect(encoding).rejects.toBe('before')
  expect(await readdir(folder)).toEqual([])
})

test("the error contains ffmpeg's own message", async () => {
  const folder = await scratch()
  const encoding = encodeFrames(jobIn(folder, { outputArgs: () => ['-c:v', 'no-such-codec', '-f', 'mp4'] }))
  await expect(encoding).rejects.toMatchObject({
    code: 'VID_FFMPEG_FAILED',
    message: expect.stringMatching(/exited with code \d+; it printed: .*no-such-codec/),
  })
  expect(await readdir(folder)).toEqual([])
})

test('a killed ffmpeg is an error, also while frames arrive slowly', async () => {
  const folder = await scratch()
  const tools = await scripted(folder, 'echo $$ > "$0.pid"; exec "$FFMPEG" "$@"')
  const frames = endless(async (index) => {
    if (index < 5) return
    process.kill(Number(await readFile(`${tools.ffmpeg}.pid`, 'utf8')), 'SIGKILL')
    await new Promise(() => {})
  }, LARGE)
  await expect(encodeFrames(jobIn(folder, { ...LARGE, frames, tools }))).rejects.toMatchObject({
    code: 'VID_FFMPEG_FAILED',
    message: expect.stringContaining('was killed by SIGKILL'),
  })
  expect(await readdir(folder)).not.toContain('bar.mp4')
})

test('a missing ffmpeg is a coded error', async () => {
  const folder = await scratch()
  const tools = { ...(await scripted(folder, '')), ffmpeg: join(folder, 'gone') }
  await expect(encodeFrames(jobIn(folder, { tools }))).rejects.toMatchObject({ code: 'VID_FFMPEG_START' })
})

test('a full disk is reported, and no file is left', async () => {
  const folder = await scratch()
  const tools = await scripted(folder, `trap '' XFSZ; ulimit -f 8; exec "$FFMPEG" "$@"`)
  const args = () => ['-c:v', 'rawvideo', '-f', 'avi']
  await expect(encodeFrames(jobIn(folder, { tools, outputArgs: args }))).rejects.toMatchObject({
    code: 'VID_FFMPEG_FAILED',
    message: expect.stringContaining('File too large'),
  })
  expect(await readdir(folder)).toEqual(['ffmpeg'])
})

test('frames are not requested ahead of an encoder that does not read', async () => {
  const folder = await scratch()
  const tools = await scripted(folder, 'exec tail -f /dev/null')
  const aborting = new AbortController()
  let frameCount = 0
  const frames = endless(() => void frameCount++, LARGE)
  const encoding = encodeFrames(jobIn(folder, { ...LARGE, frames, tools, signal: aborting.signal }))
  const failing = expect(encoding).rejects.toBe('enough')
  await expect.poll(() => frameCount).toBe(2)
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
  aborting.abort('enough')
  await failing
  expect(frameCount).toBe(2)
})

test('a picture that cannot be decoded is not silently dropped', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const tornPng = Buffer.from(png)
  tornPng.fill(0xff, 41, 54)
  async function* frames(): AsyncGenerator<Frame> {
    for (let index = 0; index < 6; index++) yield { index, format: 'png', data: index === 3 ? tornPng : png }
  }
  const args = () => ['-vf', 'scale=16:16,format=yuv420p', ...outputArgs()]
  const encoding = encodeFrames(jobIn(await scratch(), { frames: frames(), outputArgs: args }))
  await expect(encoding).rejects.toMatchObject({
    code: expect.stringMatching(/^VID_FFMPEG_(FRAMES|FAILED)$/),
  })
})

test.each([
  ['too few bytes', { index: 3, format: 'rgba', data: new Uint8Array(7) }],
  ['another format', { index: 3, format: 'png', data: new Uint8Array(7) }],
] satisfies [string, Frame][])('a frame of %s is an error with its index', async (_, wrong) => {
  async function* frames(): AsyncGenerator<Frame> {
    yield* slidingBar({ ...SIZE, frames: 3 })
    yield wrong
  }
  const encoding = encodeFrames(jobIn(await scratch(), { frames: frames() }))
  await expect(encoding).rejects.toMatchObject({
    code: 'VID_FFMPEG_FRAME',
    message: expect.stringContaining('Frame 3 '),
  })
})

test('a segment without frames is an error', async () => {
  const frames = slidingBar({ ...SIZE, frames: 0 })
  await expect(encodeFrames(jobIn(await scratch(), { frames }))).rejects.toMatchObject({
    code: 'VID_FFMPEG_NO_FRAMES',
  })
})
