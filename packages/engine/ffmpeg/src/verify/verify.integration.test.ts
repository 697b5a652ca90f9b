import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Frame, Verification } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { type ExpectedVideo, findEmbedded, findFfmpeg, probeMedia, runProcess, verifyVideo } from '../index.ts'

const { ffmpeg } = await findFfmpeg()
const signal = new AbortController().signal

/** A video of 12 frames at 24 fps; `args` are ffmpeg's, after the inputs. */
const makeVideo = async (source: string, args: readonly string[] = [], sound?: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-verify-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'film.mp4')
  const inputs = [source, ...(sound ? [sound] : [])].flatMap((input) => ['-f', 'lavfi', '-i', input])
  const codec = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast']
  await runProcess(ffmpeg, ['-v', 'error', ...inputs, ...codec, ...args, '-y', file], undefined)
  return file
}
const bars = 'testsrc2=s=64x48:r=24:d=0.5'
const segments = [{ index: 0, start: 0, frames: 12 }]
const encoder = { name: 'test', settings: {} }
const plan = { width: 64, height: 48, fps: 24, frames: 12, segments, format: 'mp4', encoder } as unknown as RenderPlan
const frameOf = (paint: (index: number) => number): Frame => ({
  index: 6,
  format: 'rgba',
  data: Uint8Array.from({ length: 64 * 48 * 4 }, (_, index) => paint(index)),
})
const expected: ExpectedVideo = { container: 'mp4', video: { codec: 'h264', pixFmt: 'yuv420p' } }
const check = (path: string, changes: Partial<Verification> = {}, expectation = expected) =>
  verifyVideo(
    {
      plan,
      artifact: { path },
      sound: false,
      samples: [],
      frame: async () => frameOf((index) => index % 251),
      ...changes,
    },
    expectation,
    { signal },
  )
const wrong = (problem: string) => ({
  code: 'VID_OUTPUT_WRONG',
  message: expect.stringContaining(problem),
})

test('a video that matches its plan passes without capturing a frame again', async () => {
  const frame = () => Promise.reject(new Error('captured'))
  await expect(check(await makeVideo(bars), { frame })).resolves.toBeUndefined()
  const tone = await makeVideo(bars, ['-c:a', 'aac', '-ar', '48000', '-ac', '2'], 'sine=d=0.5:r=48000')
  await expect(
    check(tone, { sound: true }, { ...expected, audio: { codec: 'aac', sampleRate: 48_000, channels: 2 } }),
  ).resolves.toBeUndefined()
})

test('a problem that only the embedded programs report is checked again with the programs that encoded the video', async () => {
  const prores4444 = (await makeVideo(bars)).replace('.mp4', '.mov')
  const codec = ['-c:v', 'prores_ks', '-profile:v', '4444', '-pix_fmt', 'yuva444p10le', '-color_range', 'tv']
  await runProcess(ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', bars, ...codec, prores4444], undefined)
  const embedded = await findEmbedded(await findFfmpeg())
  // An older one does not know that this codec is of limited range.
  const facts = await probeMedia(prores4444, embedded ? { tools: embedded } : {})
  expect(facts.video[0]).toMatchObject({ codec: 'prores', frames: 12 })
  // What the programs that made it say, which an embedded build alone says nothing of.
  const [video] = (await probeMedia(prores4444)).video
  const range = video?.range
  const expectation: ExpectedVideo = { container: 'mov', video: { codec: 'prores', ...(range && { range }) } }
  await expect(check(prores4444, {}, expectation)).resolves.toBeUndefined()
  const other: ExpectedVideo = { container: 'mov', video: { codec: 'prores', range: 'pc' } }
  await expect(check(prores4444, {}, other)).rejects.toMatchObject(wrong(`video range is ${range}, not pc`))
})

test.each([
  ['a missing frame', bars, ['-frames:v', '11'], {}, 'it has 11 frames, not 12'],
  ['another size', 'testsrc2=s=66x48:r=24:d=0.5', [], {}, 'video width is 66, not 64'],
  ['another rate', 'testsrc2=s=64x48:r=12:d=1', [], {}, 'it lasts 1 s, not 0.5'],
  ['missing sound', bars, [], { sound: true }, 'it has 0 audio streams, not 1'],
])('%s is reported', async (_, source, args, changes, problem) => {
  await expect(check(await makeVideo(source, args), changes)).rejects.toMatchObject(wrong(problem))
})

test('sound with a wrong duration or format is reported', async () => {
  const short = await makeVideo(bars, ['-c:a', 'aac', '-ar', '44100'], 'sine=d=0.3')
  const expectation = { ...expected, audio: { sampleRate: 48_000 } }
  await expect(check(short, { sound: true }, expectation)).rejects.toMatchObject(wrong('its sound lasts 0.3'))
  await expect(check(short, { sound: true }, expectation)).rejects.toMatchObject(
    wrong('audio sampleRate is 44100, not 48000'),
  )
  await expect(check(short)).rejects.toMatchObject(wrong('it has 1 audio streams, not 0'))
})

test('a wrong codec, pixel format and container are reported in one error', async () => {
  const file = await makeVideo(bars)
  const expectation: ExpectedVideo = {
    container: 'webm',
    video: { codec: 'vp9', pixFmt: 'yuva420p' },
    tags: { alpha_mode: '1' },
  }
  for (const problem of [
    'the container is mov,mp4,m4a,3gp,3g2,mj2, not webm',
    'video codec is h264, not vp9',
    'video pixFmt is yuv420p, not yuva420p',
    'tag alpha_mode is undefined, not 1',
  ])
    await expect(check(file, {}, expectation)).rejects.toMatchObject(wrong(problem))
})

test('a black video fails verification unless its page is black', async () => {
  const black = await makeVideo('color=black:s=64x48:r=24:d=0.5')
  await expect(check(black)).rejects.toMatchObject(wrong('its picture is one colour, and the page is not'))
  const plain = (format: Frame['format'], data: Uint8Array) => async () => ({ index: 6, format, data })
  await expect(check(black, { frame: plain('rgba', new Uint8Array(64 * 48 * 4)) })).resolves.toBeUndefined()
  const luma = new Uint8Array(64 * 48 * 1.5).fill(128, 64 * 48)
  await expect(check(black, { frame: plain('yuv420p', luma) })).resolves.toBeUndefined()
  const planes = new Uint8Array(64 * 48 * 2.5).fill(128, 64 * 48, 64 * 48 * 1.5).fill(255, 64 * 48 * 1.5)
  await expect(check(black, { frame: plain('yuva420p', planes) })).resolves.toBeUndefined()
  const still = `${black}.png`
  await runProcess(ffmpeg, ['-v', 'error', '-i', black, '-frames:v', '1', '-y', still], undefined)
  await expect(check(black, { frame: plain('png', await readFile(still)) })).resolves.toBeUndefined()
  await runProcess(ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', bars, '-frames:v', '1', '-y', still], undefined)
  await expect(check(black, { frame: plain('png', await readFile(still)) })).rejects.toMatchObject(
    wrong('its picture is one colour'),
  )
})

test('a video of one hue counts as one colour although its chroma planes differ', async () => {
  const red = await makeVideo('color=red:s=64x48:r=24:d=0.5')
  const planes = new Uint8Array(64 * 48 * 1.5).fill(81)
  planes.fill(90, 64 * 48, 64 * 48 * 1.25).fill(240, 64 * 48 * 1.25)
  const frame = async (): Promise<Frame> => ({ index: 6, format: 'yuv420p', data: planes })
  await expect(check(red, { frame })).resolves.toBeUndefined()
  planes.fill(90, 64 * 48 * 1.25, 64 * 48 * 1.4)
  await expect(check(red, { frame })).rejects.toMatchObject(wrong('its picture is one colour'))
})

test('a picture is judged at one scale: what the codec may take away is not missed', async () => {
  const black = await makeVideo('color=black:s=64x48:r=24:d=0.5')
  const shownBy = (pixels: readonly number[]) => {
    const data = new Uint8Array(64 * 48 * 4)
    for (const pixel of pixels) data.fill(255, pixel * 4, pixel * 4 + 3)
    return { frame: async (): Promise<Frame> => ({ index: 0, format: 'rgba', data }) }
  }
  await expect(check(black, shownBy([700]))).resolves.toBeUndefined()
  await expect(check(black, shownBy([928, 929, 992, 993]))).rejects.toMatchObject(wrong('its picture is one colour'))
})

test('frames that were kept when they were captured are compared with those of the video', async () => {
  const moving = await makeVideo(bars)
  const raw = await runProcess(
    ffmpeg,
    ['-v', 'error', '-i', moving, '-f', 'rawvideo', `${moving}.yuv`],
    undefined,
  ).then(() => readFile(`${moving}.yuv`))
  const sample = (index: number, from = index): Frame => {
    const bytes = 64 * 48 * 1.5
    return { index, format: 'yuv420p', data: raw.subarray(from * bytes, (from + 1) * bytes) }
  }
  await expect(check(moving, { samples: [sample(0), sample(4)] })).resolves.toBeUndefined()
  await expect(check(moving, { samples: [sample(4)] })).resolves.toBeUndefined()
  const frozen = await makeVideo(`color=blue:s=64x48:r=24:d=0.5,drawbox=c=red:w=20:h=20:t=fill`)
  await expect(check(frozen, { samples: [sample(0)] })).rejects.toMatchObject(
    wrong('its frame 0 is not the picture that was captured'),
  )
})

test('a truncated file is an error', async () => {
  const file = await makeVideo(bars)
  await writeFile(file, (await readFile(file)).subarray(0, 900))
  await expect(check(file)).rejects.toMatchObject({ code: 'VID_FFMPEG_PROBE' })
})
