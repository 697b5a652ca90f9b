import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { probeMedia } from '@vid/ffmpeg'
import type { RenderSettings } from '@vid/render'
import { expect, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { rendersOfFile } from '../support/renders.ts'
import { amplitude, between, ffmpeg, onset, peak, pitch, readSound, type Sound, writeTone } from '../support/sound.ts'
import { here, scratch } from '../support/vid.ts'

/** A copy of a project, with its sources made by `make`. */
const projectWith = async (name: string, make: (file: (name: string) => string) => Promise<unknown>) => {
  const folder = join(await scratch(), name)
  await cp(here(`projects/${name}`), folder, { recursive: true })
  await make((source) => join(folder, source))
  return folder
}

const renderFile = rendersOfFile()

/** Renders a project in a few frames a second, whose pictures are no subject here; `log` is what was warned of. */
const render = async (projectDir: string, settings: RenderSettings = {}) => {
  const output = join(await scratch(), 'out.mp4')
  const { warned } = await renderFile({ projectDir, output, fps: 8, quality: 'draft', ...settings })
  return { file: output, log: warned }
}

/** Amplitude in the middle of a range of seconds, without what AAC smears over its edges. */
const levels = ([left, right]: Sound, from: number, to: number, hertz: number) =>
  [left, right].map((side) => amplitude(between(side, from + 0.05, to - 0.05), hertz))

const near = (level: number) => [expect.closeTo(level, 1.5), expect.closeTo(level, 1.5)]

/** Residual amplitude that AAC leaves in silence next to a tone. */
const SILENT = 0.003

test('sounds are heard in their windows only, at pitch, mono as loud as stereo', async () => {
  const project = await projectWith('tone-windows', async (file) => {
    await writeTone(file('low.wav'), 300, 1)
    await writeTone(file('mono.wav'), 500, 1, 1)
    await writeTone(file('high.wav'), 800, 1)
    await writeTone(file('short.wav'), 1000, 0.25)
  })
  const { file } = await render(project)
  const sound = await readSound(file)
  const windows = [
    [0.25, 0.75, 300],
    [1, 1.5, 500],
    [1.75, 2.25, 800],
    [2.5, 3.25, 1000],
  ] as const
  let silentFrom = 0
  for (const [from, to, hertz] of windows) {
    expect(peak(between(sound[0], silentFrom + 0.03, from - 0.03))).toBeLessThan(SILENT)
    expect(pitch(between(sound[0], from + 0.05, to - 0.05))).toBe(hertz)
    expect(levels(sound, from, to, hertz)).toEqual(near(0.5))
    expect(Math.abs(onset(sound[0], 0.1, silentFrom + 0.03) - from)).toBeLessThan(0.003)
    silentFrom = to
  }
  expect(peak(between(sound[0], 3.28, 3.5))).toBeLessThan(SILENT)
})

test('picture and sound are both as long as the frames, and all workers make the same file', async () => {
  const project = await projectWith('tone-windows', async (file) => {
    for (const name of ['low', 'mono', 'high', 'short']) await writeTone(file(`${name}.wav`), 440, 1)
  })
  const one = await render(project, { fps: 24, workers: 1 })
  const three = await render(project, { fps: 24, workers: 3 })
  expect((await readFile(one.file)).equals(await readFile(three.file))).toBe(true)
  const { video, audio } = await probeMedia(one.file, { countFrames: true })
  expect(video).toMatchObject([{ frames: 84, start: 0 }])
  expect(audio).toMatchObject([{ codec: 'aac', sampleRate: 48_000, channels: 2, start: 0 }])
  for (const stream of [...video, ...audio])
    expect(Math.abs((stream.duration ?? 0) - 3.5)).toBeLessThanOrEqual(1024 / 48_000)
})

longTest('a volume tween is heard instead of data-volume, which reaches 3.98', async () => {
  const project = await projectWith('fading-tone', async (file) => {
    await writeTone(file('low.wav'), 400, 1)
    await ffmpeg(['-i', file('low.wav'), '-af', 'volume=0.2', file('quiet.wav')])
  })
  const sound = await readSound((await render(project, { fps: 24 })).file)
  const level = (seconds: number) => amplitude(between(sound[0], seconds - 0.025, seconds + 0.025), 400)
  const heard = [0.1, 0.25, 0.4, 0.6, 0.75, 0.9].map(level)
  expect(heard).toEqual([0.1, 0.25, 0.4, 0.4, 0.25, 0.1].map((level) => expect.closeTo(level, 1.2)))
  expect(level(1.5)).toBeCloseTo(0.25, 1.5)
  expect(level(2.4)).toBeCloseTo(0.1 * 3.98, 1.5)
})

test('attributes fade, lower, group and place sounds, to 0.2 dB', async () => {
  const project = await projectWith('attribute-sound', async (file) => {
    await writeTone(file('low.wav'), 400, 5)
    await writeTone(file('middle.wav'), 900, 1)
    await writeTone(file('high.wav'), 1500, 1)
  })
  const sound = await readSound((await render(project, { fps: 24 })).file)
  /** Decibels of a tone on one side around a time, where full scale of the source is 0.5. */
  const level = (seconds: number, hertz: number, side: 0 | 1) =>
    20 * Math.log10(amplitude(between(sound[side], seconds - 0.02, seconds + 0.02), hertz) / 0.5)
  const decibels = (gain: number) => 20 * Math.log10(gain)
  const bus = decibels(0.8)
  const heard: readonly (readonly [number, number, 0 | 1, number])[] = [
    [0.25, 400, 0, bus + decibels(0.25)],
    [0.5, 400, 1, bus + decibels(0.5)],
    [1.5, 400, 0, bus],
    [1.9, 400, 0, bus - 6],
    [2.5, 400, 1, bus - 12],
    [3.2, 400, 0, bus - 6],
    [3.45, 400, 0, bus],
    [4.5, 400, 0, bus + decibels(0.5)],
    [2.5, 900, 0, 0],
    [2.5, 900, 1, decibels(Math.cos(Math.PI / 4))],
    [4, 1500, 1, 0],
    [4, 1500, 0, decibels(Math.cos(Math.PI / 4))],
    [3.75, 1500, 1, decibels(0.6)],
    [4.25, 1500, 1, decibels(0.6)],
  ]
  for (const [seconds, hertz, side, expected] of heard)
    expect(Math.abs(level(seconds, hertz, side) - expected), `${hertz} Hz at ${seconds} s`).toBeLessThan(0.2)
})

test('a nested composition is heard from its host on, an element no longer than what holds it, and nothing hidden', async () => {
  const project = await projectWith('late-host-sound', async (file) => {
    await writeTone(file('low.wav'), 300, 1)
    await writeTone(file('middle.wav'), 600, 1)
    await writeTone(file('high.wav'), 900, 3)
  })
  const sound = await readSound((await render(project)).file)
  expect(levels(sound, 0.25, 0.5, 300)).toEqual(near(0.5))
  expect(peak(between(sound[0], 0.53, 1.72))).toBeLessThan(SILENT)
  expect(Math.abs(onset(sound[0], 0.1, 1) - 1.75)).toBeLessThan(0.003)
  expect(levels(sound, 1.75, 2.25, 600)).toEqual(near(0.5))
  expect(peak(between(sound[0], 2.28, 3))).toBeLessThan(SILENT)
  expect(amplitude(sound[0], 900)).toBeLessThan(SILENT)
})

test('broken sounds are named and left out, and the others are mixed', async () => {
  const project = await projectWith('broken-sound', async (file) => {
    await writeFile(file('broken.mp3'), 'this is no sound')
    await writeTone(file('low.wav'), 300, 1)
  })
  const { file, log } = await render(project)
  expect(log).toMatch(/broken\.mp3/)
  expect(log).toMatch(/missing\.wav/)
  expect(levels(await readSound(file), 0.25, 0.75, 300)).toEqual(near(0.5))
})

test('without a sound that plays there is no audio stream', async () => {
  const project = await projectWith('broken-sound', (file) => writeFile(file('broken.mp3'), 'this is no sound'))
  expect((await probeMedia((await render(project)).file)).audio).toEqual([])
})

test('what a script mutes, or no longer mutes, is heard so', async () => {
  const project = await projectWith('scripted-mute', async (file) => {
    await writeTone(file('low.wav'), 300, 1.5)
    await writeTone(file('middle.wav'), 600, 1.5)
    await writeTone(file('high.wav'), 900, 1.5)
  })
  const sound = await readSound((await render(project)).file)
  for (const [from, to, low, high] of [
    [0, 0.45, 0.5, 0],
    [0.5, 0.95, 0, 0.5],
    [1, 1.5, 0.5, 0],
  ] as const) {
    expect(levels(sound, from, to, 300)).toEqual(near(low))
    expect(levels(sound, from, to, 600)).toEqual(near(0))
    expect(levels(sound, from, to, 900)).toEqual(near(high))
  }
})

test("a video's own sound is mixed unless it is muted or said to have none", async () => {
  const project = await projectWith('talking-video', async (file) => {
    for (const [name, hertz] of [
      ['low', 300],
      ['high', 900],
    ] as const) {
      await writeTone(file(`${name}.wav`), hertz, 1)
      const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=24:d=1']
      const codecs = ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus']
      await ffmpeg([...picture, '-i', file(`${name}.wav`), ...codecs, file(`${name}.webm`)])
    }
  })
  const sound = await readSound((await render(project)).file)
  expect(levels(sound, 0.25, 0.75, 300)).toEqual(near(0.5))
  expect(amplitude(between(sound[0], 0.25, 1.25), 900)).toBeLessThan(SILENT)
  expect(peak(between(sound[0], 0.78, 1.5))).toBeLessThan(SILENT)
})

test('sound without a start is left out with a warning, and what nobody is meant to hear without one', async () => {
  const folder = await scratch()
  await writeTone(join(folder, 'low.wav'), 440, 1)
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><div data-composition-id="x" data-width="64" data-height="36" data-duration="0.2">
      <audio src="low.wav" autoplay loop></audio>
      <audio src="low.wav"></audio>
      <audio src="low.wav" autoplay muted></audio>
    </div>`,
  )
  const { file, log } = await render(folder)
  expect(log.match(/VID_SOUND_UNTIMED/g)).toHaveLength(1)
  expect(log).toContain('<audio src="low.wav')
  expect((await probeMedia(file)).audio).toEqual([])
})
