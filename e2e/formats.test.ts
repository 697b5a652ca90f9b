import { cp, readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { decodeFrames, findFfmpeg, probeMedia, SAMPLE_RATE } from '@vid/ffmpeg'
import { decodePng } from '@vid/testkit'
import { describe, expect, test } from 'vitest'
import { amplitude, between, onset, peak, readSound, writeTone } from './support/sound.ts'
import { here, scratch, vid } from './support/vid.ts'

const [WIDTH, HEIGHT, FRAMES] = [240, 135, 24]
const [AUDIO_FROM, AUDIO_TO, HERTZ] = [0.25, 0.65, 440]
const embedded = await findFfmpeg({ env: { ...process.env, PATH: '' } })

/** A copy of the project, with its sound. */
const project = async () => {
  const folder = join(await scratch(), 'glass')
  await cp(here('projects/glass'), folder, { recursive: true })
  await writeTone(join(folder, 'tone.wav'), HERTZ, 0.4)
  return folder
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
      ...{ codec: 'prores', codecTag: 'ap4h', profile: '4444', fps: { num: 30, den: 1 }, start: 0 },
      ...{ matrix: 'bt709', transfer: 'bt709', primaries: 'bt709' },
    },
  },
  {
    format: 'webm',
    output: 'out.webm',
    sound: 'opus',
    tolerance: 8,
    glass: 178,
    stream: {
      ...{ codec: 'vp9', pixFmt: 'yuv420p', fps: { num: 30, den: 1 }, start: 0 },
      ...{ range: 'tv', matrix: 'bt709', transfer: 'bt709', primaries: 'bt709' },
      tags: expect.objectContaining({ ALPHA_MODE: '1' }),
    },
  },
  { format: 'gif', output: 'out.gif', tolerance: 6, glass: 255, stream: { codec: 'gif' } },
  { format: 'png-sequence', output: 'out', sound: 'aac', tolerance: 1, glass: 178 },
]

describe.each([
  ['preferred', {}],
  ['embedded', { VID_FFMPEG_PATH: embedded.ffmpeg, VID_FFPROBE_PATH: embedded.ffprobe }],
])('with the %s ffmpeg', (_, env) => {
  test.each(formats)('$format shows the root alone, with its alpha', async (wanted) => {
    const { format, tolerance, glass, stream, sound } = wanted
    const folder = await project()
    const output = join(folder, wanted.output)
    const run = await vid(['render', folder, '-o', output, '--format', format, '-w', '1'], { env })
    expect(run, run.stderr).toMatchObject({ code: 0 })
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
        if (x >= 0 && x < WIDTH)
          expect(pixel(frame, x, 110)[3], `trail at ${x}, frame ${index}`).toBeLessThan(3)
    }
    if (!sound) {
      expect(run.stderr).toContain('VID_AUDIO_DROPPED')
      expect((await probeMedia(output)).audio).toEqual([])
      return
    }
    const file = extname(output) === '' ? join(output, 'audio.aac') : output
    expect((await probeMedia(file)).audio).toMatchObject([
      { codec: sound, sampleRate: SAMPLE_RATE, channels: 2 },
    ])
    const [left, right] = await readSound(file)
    expect(Math.abs(left.length / SAMPLE_RATE - FRAMES / 30), 'length').toBeLessThanOrEqual(
      1024 / SAMPLE_RATE,
    )
    expect(Math.abs(onset(left) - AUDIO_FROM), `onset at ${onset(left)}`).toBeLessThan(0.002)
    expect(peak(between(left, 0, AUDIO_FROM - 0.02))).toBeLessThan(0.02)
    for (const side of [left, right])
      expect(amplitude(between(side, AUDIO_FROM + 0.05, AUDIO_TO - 0.05), HERTZ)).toBeCloseTo(0.5, 1)
  })
})

test.each([...formats, { format: 'mp4', output: 'out.mp4' }])(
  'one worker and three make the same $format, byte for byte',
  async ({ format, output }) => {
    const folder = await project()
    const made = []
    for (const workers of ['1', '3']) {
      const path = join(folder, workers, output)
      const run = await vid(['render', folder, '-o', path, '--format', format, '-w', workers, '-q', 'draft'])
      expect(run, run.stderr).toMatchObject({ code: 0 })
      made.push(await filesOf(path))
    }
    expect(Object.keys(made[0] ?? {})).toHaveLength(format === 'png-sequence' ? FRAMES + 1 : 1)
    expect(made[1]).toEqual(made[0])
  },
)
