import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { decodeFrames, findFfmpeg, probeMedia, SAMPLE_RATE } from '@vid/ffmpeg'
import { decodePng } from '@vid/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { rendersOfFile } from '../support/renders.ts'
import { amplitude, between, onset, peak, readSound, writeTone } from '../support/sound.ts'
import { here, scratch, vidInProcess as vid, vid as vidAlone } from '../support/vid.ts'

const WIDTH = 240
const HEIGHT = 135
const FRAMES = 24
const AUDIO_FROM = 0.25
const AUDIO_TO = 0.65
const HERTZ = 440
const preferred = await findFfmpeg()
const embedded = await findFfmpeg({ env: { ...process.env, PATH: '' } })

const copyTo = async (folder: string): Promise<string> => {
  await cp(here('projects/glass'), folder, { recursive: true })
  await writeTone(join(folder, 'tone.wav'), HERTZ, 0.4)
  return folder
}

/** A copy of the project, with its sound. */
const project = async () => copyTo(join(await scratch(), 'glass'))

let renderedFolder: string
beforeAll(async () => {
  renderedFolder = await mkdtemp(join(tmpdir(), 'vid-e2e-formats-'))
})
afterAll(() => rm(renderedFolder, { recursive: true, force: true }))

const render = rendersOfFile()

const renderTo = async (folder: string, { format, output }: Pick<Format, 'format' | 'output'>, workers: number) => {
  const path = join(folder, output)
  const { warned } = await render({ projectDir: folder, output: path, format, workers })
  return { path, warned }
}

/** The file of a format that one worker makes with the preferred ffmpeg; rendered once. */
const singleRenders = new Map<string, ReturnType<typeof renderTo>>()
const renderOnce = (entry: Pick<Format, 'format' | 'output'>) => {
  const rendering =
    singleRenders.get(entry.format) ??
    copyTo(join(renderedFolder, entry.format)).then((folder) => renderTo(folder, entry, 1))
  singleRenders.set(entry.format, rendering)
  return rendering
}

/** Red, green, blue and alpha of all pixels of all frames. */
const framesOf = async (path: string): Promise<Uint8Array[]> => {
  const frames: Uint8Array[] = []
  if (extname(path) === '') {
    for (const name of (await readdir(path)).filter((name) => name.endsWith('.png')).sort())
      frames.push(decodePng(await readFile(join(path, name))).data)
    return frames
  }
  const decoder = extname(path) === '.webm' ? { decoder: 'libvpx-vp9' } : {}
  for await (const frame of decodeFrames(path, { pixFmt: 'rgba', ...decoder })) frames.push(frame)
  return frames
}

const pixel = (frame: Uint8Array | undefined, x: number, y: number) =>
  Array.from(frame?.subarray((y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 4) ?? [])

/** All files that a render made, by name. */
const filesOf = async (path: string): Promise<Record<string, string>> => {
  const names = extname(path) === '' ? (await readdir(path)).sort() : ['']
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(path, name), 'base64')])),
  )
}

interface Format {
  readonly format: string
  readonly output: string
  readonly sound?: string
  /** Largest difference in a channel of a flat colour. */
  readonly tolerance: number
  /** Alpha of the glass. */
  readonly glass: number
  readonly stream?: object
}

const formats: readonly Format[] = [
  {
    format: 'mov',
    output: 'out.mov',
    sound: 'aac',
    tolerance: 3,
    glass: 178,
    stream: {
      codec: 'prores',
      codecTag: 'ap4h',
      profile: '4444',
      fps: { num: 30, den: 1 },
      start: 0,
      matrix: 'bt709',
      transfer: 'bt709',
      primaries: 'bt709',
    },
  },
  {
    format: 'webm',
    output: 'out.webm',
    sound: 'opus',
    tolerance: 8,
    glass: 178,
    stream: {
      codec: 'vp9',
      pixFmt: 'yuv420p',
      fps: { num: 30, den: 1 },
      start: 0,
      range: 'tv',
      matrix: 'bt709',
      transfer: 'bt709',
      primaries: 'bt709',
      tags: expect.objectContaining({ ALPHA_MODE: '1' }),
    },
  },
  { format: 'gif', output: 'out.gif', tolerance: 6, glass: 255, stream: { codec: 'gif' } },
  { format: 'png-sequence', output: 'out', sound: 'aac', tolerance: 1, glass: 178 },
]

const renderEmbedded = async ({ format, output }: Format) => {
  const folder = await project()
  const path = join(folder, output)
  const env = { VID_FFMPEG_PATH: embedded.ffmpeg, VID_FFPROBE_PATH: embedded.ffprobe }
  const run = await vidAlone(['render', folder, '-o', path, '--format', format, '-w', '1'], { env })
  expect(run, run.stderr).toMatchObject({ code: 0 })
  return { path, warned: run.stderr }
}

const renders: readonly (readonly [name: string, rendered: (entry: Format) => ReturnType<typeof renderTo>])[] = [
  ['preferred', renderOnce],
  ['embedded', renderEmbedded],
]
// A machine without an ffmpeg of its own prefers the embedded one.
const isEmbedded = preferred.ffmpeg === embedded.ffmpeg

describe.each(renders.slice(0, isEmbedded ? 1 : 2))('with the %s ffmpeg', (_, rendered) => {
  test.each(partOf(formats, 2))('$format shows the root alone, with its alpha', async (expected) => {
    const { tolerance, glass, stream, sound } = expected
    const { path: output, warned } = await rendered(expected)
    if (stream)
      expect((await probeMedia(output, { countFrames: true })).video).toMatchObject([
        { ...stream, width: WIDTH, height: HEIGHT, frames: FRAMES },
      ])
    const frames = await framesOf(output)
    expect(frames).toHaveLength(FRAMES)
    for (const [index, frame] of frames.entries()) {
      expect(pixel(frame, 200, 20), `outside, frame ${index}`).toMatchObject({ 3: 0 })
      expect(pixel(frame, 5, 5), `outside, frame ${index}`).toMatchObject({ 3: 0 })
      const near = (colour: readonly number[]) =>
        colour.map((value) => expect.closeTo(value, -Math.log10(2 * tolerance + 1)))
      expect(pixel(frame, 50, 50), `solid, frame ${index}`).toEqual([...near([200, 60, 40]), 255])
      const [, , , alpha = 0] = pixel(frame, 130, 50)
      expect(Math.abs(alpha - glass), `alpha of the glass, frame ${index}: ${alpha}`).toBeLessThanOrEqual(2)
      expect(pixel(frame, 130, 50).slice(0, 3), `glass, frame ${index}`).toEqual(near([40, 90, 220]))
      const left = index * 8
      expect(pixel(frame, left + 10, 110), `mover, frame ${index}`).toEqual([...near([30, 170, 90]), 255])
      // Neither where it was, nor where it will be.
      for (const x of [left - 12, left + 32])
        if (x >= 0 && x < WIDTH) expect(pixel(frame, x, 110)[3], `trail at ${x}, frame ${index}`).toBeLessThan(3)
    }
    if (!sound) {
      expect(warned).toContain('VID_AUDIO_DROPPED')
      expect((await probeMedia(output)).audio).toEqual([])
      return
    }
    const file = extname(output) === '' ? join(output, 'audio.aac') : output
    expect((await probeMedia(file)).audio).toMatchObject([{ codec: sound, sampleRate: SAMPLE_RATE, channels: 2 }])
    const [left, right] = await readSound(file)
    expect(Math.abs(left.length / SAMPLE_RATE - FRAMES / 30), 'length').toBeLessThanOrEqual(1024 / SAMPLE_RATE)
    expect(Math.abs(onset(left) - AUDIO_FROM), `onset at ${onset(left)}`).toBeLessThan(0.002)
    expect(peak(between(left, 0, AUDIO_FROM - 0.02))).toBeLessThan(0.02)
    for (const side of [left, right])
      expect(amplitude(between(side, AUDIO_FROM + 0.05, AUDIO_TO - 0.05), HERTZ)).toBeCloseTo(0.5, 1)
  })
})

test.each(partOf([...formats, { format: 'mp4', output: 'out.mp4' }], 3))(
  'one worker and three make the same $format, byte for byte',
  async (entry) => {
    const one = await renderOnce(entry)
    const three = await renderTo(await project(), entry, 3)
    const files = await filesOf(one.path)
    expect(Object.keys(files)).toHaveLength(entry.format === 'png-sequence' ? FRAMES + 1 : 1)
    expect(await filesOf(three.path)).toEqual(files)
  },
)

test('a background of the root is kept, and jpeg is never what a frame with alpha comes as', async () => {
  const folder = await project()
  const outputs = formats.map(({ format, output }) => ({ format, output: join(folder, output) }))
  const variables = { ground: 'rgba(10, 200, 120, 0.5)' }
  await render({ projectDir: folder, outputs, to: '0.2s', variables, videoFrameFormat: 'jpg' })
  for (const { format, output, tolerance } of formats) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixel((await framesOf(join(folder, output)))[3], 220, 15)
    const expected = [10, 200, 120, format === 'gif' ? 255 : 128]
    for (const [index, value] of [red, green, blue, alpha].entries())
      expect(Math.abs(value - (expected[index] ?? 0)), `${format}: ${[red, green, blue, alpha]}`).toBeLessThanOrEqual(
        tolerance + 2,
      )
  }
})

test('a gif is capped at 30 frames a second and repeats as often as requested', async () => {
  const folder = await project()
  const output = join(folder, 'out.gif')
  const flags = ['--format', 'gif', '--fps', '60', '--gif-loop', '7', '--crf', '20']
  const run = await vid(['render', folder, '-o', output, ...flags])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  for (const code of ['VID_FPS_CAPPED', 'VID_AUDIO_DROPPED', 'VID_FLAG_WITHOUT_EFFECT'])
    expect(run.stderr).toContain(`warning ${code}`)
  expect(await framesOf(output)).toHaveLength(FRAMES)
  const bytes = await readFile(output)
  expect(bytes.readUInt16LE(bytes.indexOf('NETSCAPE2.0') + 13)).toBe(7)
})

test.each(
  partOf(
    [
      ['mov', 'out.mov', 60],
      ['webm', 'out.webm', 24],
      ['png-sequence', 'out', 60],
    ],
    1,
  ),
)('%s in %s has %d frames a second when requested', async (format, output, fps) => {
  const folder = await project()
  const path = join(folder, output)
  await render({ projectDir: folder, output: path, format, fps, to: '0.5s', quality: 'draft' })
  expect(await framesOf(path)).toHaveLength(fps / 2)
  if (extname(path) !== '')
    expect((await probeMedia(path)).video).toMatchObject([{ start: 0, fps: { num: fps, den: 1 } }])
})

test('without an output the name follows the format, and a sequence takes the place of an older one only', async () => {
  const folder = await project()
  for (const [format, name] of [
    ['mov', 'glass.mov'],
    ['png-sequence', 'glass'],
  ] as const) {
    const run = await vid(['render', 'glass', '--format', format, '-q', 'draft', '--to', '0.1s'], {
      cwd: join(folder, '..'),
    })
    expect(run, run.stderr).toMatchObject({ code: 0, stdout: `renders/${name}\n` })
  }
  const again = await vid(['render', folder, '--format', 'png-sequence', '-o', folder])
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('VID_OUTPUT_FOREIGN') })
  expect(await readdir(folder)).toContain('index.html')
})

test('a video that is faint throughout becomes a transparent gif, not a failure', async () => {
  const folder = await project()
  const page = join(folder, 'index.html')
  const text = await readFile(page, 'utf8')
  await writeFile(page, text.replace('</style>', '#root { opacity: 0.3 }</style>'))
  const output = join(folder, 'out.gif')
  await render({ projectDir: folder, output, format: 'gif' })
  const frames = await framesOf(output)
  expect(frames).toHaveLength(FRAMES)
  for (const frame of frames) expect(frame.every((value, index) => index % 4 !== 3 || value === 0)).toBe(true)
})
