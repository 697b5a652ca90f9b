import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Warning } from '@vid/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { partOf } from '../../../../../scripts/dev/part-of.ts'
import { everyFfmpeg, scratch, scripted } from '../fixtures/sliding-bar.ts'
import { amplitude, click, heardRange, readMix, rms, tone, writeWav } from '../fixtures/tones.ts'
import { type AudioMix, findFfmpeg, mixAudio, runProcess, type SoundTrack } from '../index.ts'

const builds = await everyFfmpeg()
const tools = await findFfmpeg()

let folder: string
let warnings: Warning[]
beforeEach(async () => {
  folder = await scratch()
  warnings = []
})

type Part = Partial<SoundTrack> & { readonly file: string }

const mixTo = (output: string, parts: readonly Part[], seconds: number, job: Partial<AudioMix> = {}) =>
  mixAudio({
    tracks: parts.map((part) => ({
      label: 'a track',
      start: 0,
      end: seconds,
      mediaStart: 0,
      rate: 1,
      gain: 1,
      ...part,
    })),
    until: seconds,
    output,
    signal: new AbortController().signal,
    warn: (warning) => warnings.push(warning),
    ...job,
  })

const mix = async (parts: readonly Part[], seconds: number, job: Partial<AudioMix> = {}) => {
  const output = join(folder, 'mix.wav')
  await mixTo(output, parts, seconds, job)
  return readMix(output)
}

const wav = (signal: Parameters<typeof writeWav>[1], options?: Parameters<typeof writeWav>[2], name = 'source.wav') =>
  writeWav(join(folder, name), signal, options)

/** A source encoded from a click half a second in. */
const encodedClick = async (name: string, codec: readonly string[]) => {
  const source = await wav(click(22_050, 0.9), { sampleRate: 44_100, channels: 1, seconds: 3 }, 'clicks.wav')
  const file = join(folder, name)
  await runProcess(tools.ffmpeg, ['-v', 'error', '-i', source, ...codec, file], undefined)
  return file
}

const loudest = (samples: Float32Array) =>
  samples.reduce((best, value, index) => (Math.abs(value) > Math.abs(samples[best] ?? 0) ? index : best), 0)

describe('place', () => {
  test('a track is audible exactly from its first sample to its last', async () => {
    const file = await wav(() => 0.25)
    const [left] = await mix([{ file, start: 0.1, end: 0.35 }], 1)
    expect(left).toHaveLength(48_000)
    expect(heardRange(left)).toEqual([4_800, 16_800])
    expect(left.subarray(4_800, 16_800).every((value) => value === 0.25)).toBe(true)
  })

  test('a start between two samples is rounded to the nearest one', async () => {
    const file = await wav(() => 0.25, { seconds: 0.1 })
    const [left] = await mix(
      [
        { file, start: 1 / 30, end: 2 / 30 },
        { file, start: 0.50001, end: 0.6 },
      ],
      1,
    )
    expect(left.subarray(0, 24_000).findLastIndex((value) => value !== 0)).toBe(3_199)
    expect(left.findIndex((value, n) => n > 20_000 && value !== 0)).toBe(24_000)
  })

  test.each([
    [29, 24_000],
    [30, 48_000],
    [59.94, 100],
  ])('the length is that of the frames to the sample: %d fps, %d frames', async (fps, frames) => {
    const seconds = frames / fps / 100
    const [left] = await mix([{ file: await wav(() => 0.25) }], seconds)
    expect(left).toHaveLength(Math.round(seconds * 48_000))
  })

  test('a track is cut at the end of the video', async () => {
    const file = await wav(() => 0.25)
    const [left] = await mix(
      [
        { file, start: 0.4, end: 2 },
        { file, start: 0.5, end: 2 },
      ],
      0.5,
    )
    expect(heardRange(left)).toEqual([19_200, 24_000])
    expect(left).toHaveLength(24_000)
  })

  test.each([
    ['click.wav', ['-c:a', 'pcm_s16le']],
    ['click.mp3', ['-c:a', 'libmp3lame']],
    ['click.m4a', ['-c:a', 'aac']],
    ['click.ogg', ['-c:a', 'libvorbis']],
    ['click.webm', ['-c:a', 'libopus']],
  ])('a click in %s is at its exact sample, despite the delay of the codec', async (name, codec) => {
    const file = await encodedClick(name, codec)
    for (const build of builds) {
      const [left] = await mix([{ file, start: 0.25, mediaStart: 0.125 }], 1, { tools: build })
      expect(Math.abs(loudest(left) - 30_000)).toBeLessThanOrEqual(1)
    }
  })

  test('sound that starts late within its file starts late', async () => {
    const source = await wav(() => 0.25)
    const file = join(folder, 'late.mkv')
    const picture = ['-f', 'lavfi', '-i', 'color=s=16x16:d=2:r=30']
    const args = [
      ...picture,
      '-itsoffset',
      '0.5',
      '-i',
      source,
      '-c:v',
      'libx264',
      '-c:a',
      'pcm_f32le',
      '-map',
      '0:v',
      '-map',
      '1:a',
    ]
    await runProcess(tools.ffmpeg, ['-v', 'error', ...args, file], undefined)
    const [left] = await mix([{ file }], 2)
    expect(heardRange(left)).toEqual([24_000, 72_000])
  })
})

describe('level', () => {
  test('a mono source has its full level in both channels', async () => {
    const [left, right] = await mix([{ file: await wav(tone(480), { channels: 1 }) }], 1)
    expect(amplitude(left, 480)).toBeCloseTo(0.5, 5)
    expect(right).toEqual(left)
  })

  test('stereo channels stay separate', async () => {
    const file = await wav((n, channel) => tone(channel === 0 ? 480 : 960)(n, channel))
    const [left, right] = await mix([{ file }], 1)
    expect([amplitude(left, 480), amplitude(left, 960)]).toEqual([expect.closeTo(0.5, 5), expect.closeTo(0, 5)])
    expect([amplitude(right, 480), amplitude(right, 960)]).toEqual([expect.closeTo(0, 5), expect.closeTo(0.5, 5)])
  })

  test('tracks are added without changing their level', async () => {
    const file = await wav(() => 0.25)
    const [left] = await mix([{ file }, { file, start: 0.5 }, { file, start: 0.5, gain: 0.5 }], 1)
    expect([left[0], left[24_000]]).toEqual([0.25, 0.625])
  })

  test('a gain is limited to 3.98', async () => {
    const file = await wav(() => 0.125)
    expect((await mix([{ file, gain: 3.98 }], 0.1))[0][0]).toBeCloseTo(0.125 * 3.98, 6)
    expect((await mix([{ file, gain: 8 }], 0.1))[0][0]).toBeCloseTo(0.125 * 3.98, 6)
  })

  test('the sum of all tracks is clipped at full scale', async () => {
    const up = await wav(() => 0.75, {}, 'up.wav')
    const down = await wav(() => -0.5, {}, 'down.wav')
    const [left] = await mix([{ file: up }, { file: up }, { file: down, start: 0.5 }], 1)
    expect([left[0], left[23_999], left[24_000]]).toEqual([1, 1, 1])
    const [other] = await mix(
      [
        { file: up, gain: 2 },
        { file: down, start: 0.5 },
        { file: down, start: 0.5 },
      ],
      1,
    )
    expect([other[0], other[24_000]]).toEqual([1, 0.5])
  })

  test('a gain curve is interpolated linearly between frames', async () => {
    const file = await wav(() => 0.5)
    const gain = { fps: 10, firstFrame: 2, values: [1, 0.5, 0, 0, 2] }
    const [left] = await mix([{ file, start: 0.1, end: 0.9, gain }], 1)
    const pixelAt = (seconds: number) => left[Math.round(seconds * 48_000)]
    expect([0.1, 0.2, 0.25, 0.3, 0.35, 0.45, 0.55, 0.6, 0.8].map(pixelAt)).toEqual(
      [0.5, 0.5, 0.375, 0.25, 0.125, 0, 0.5, 1, 1].map((value) => expect.closeTo(value, 4)),
    )
    const steps = left.subarray(4_801, 43_200).map((value, n) => Math.abs(value - (left[4_800 + n] ?? 0)))
    expect(Math.max(...steps)).toBeLessThan(0.001)
  })

  test.each([
    [-1, 1, 0],
    [-0.5, 1, Math.SQRT1_2],
    [0, 1, 1],
    [0.5, Math.SQRT1_2, 1],
    [1, 0, 1],
  ])('a pan of %d plays the left side by %d and the right one by %d', async (pan, left, right) => {
    const sides = await mix([{ file: await wav(tone(500)), pan }], 0.5)
    expect(sides.map((side) => amplitude(side, 500))).toEqual([
      expect.closeTo(0.5 * left, 3),
      expect.closeTo(0.5 * right, 3),
    ])
  })

  test('a part of the mix has the same samples as the whole', async () => {
    const file = await wav(tone(480), { seconds: 3 })
    const gain = { fps: '30000/1001', firstFrame: 0, values: [1, 0.5, 0, 0.3, 0.8] }
    const parts = [
      { file, start: 0.3, loop: 0.7, end: 2.4 },
      { file, start: 1.2, rate: 1.5, gain: 0.4 },
      { file, gain },
    ]
    const until = (60 * 1001) / 30_000
    const from = (31 * 1001) / 30_000
    const whole = await mix(parts, until)
    const cut = await mix(parts, until, { from })
    const first = Math.round(from * 48_000)
    expect(cut[0]).toHaveLength(Math.round(until * 48_000) - first)
    for (const channel of [0, 1] as const)
      expect(Buffer.from(cut[channel].buffer)).toEqual(Buffer.from(whole[channel].slice(first).buffer))
  })

  test('NaN in a float source is silence, not the end of the mix', async () => {
    const nanFile = await wav((n) => (n < 100 ? Number.NaN : 0.25), {}, 'nan.wav')
    const [left] = await mix([{ file: nanFile }, { file: await wav(() => 0.5) }], 1)
    expect([left[0], left[200]]).toEqual([0.5, 0.75])
  })
})

describe('speed and repetition', () => {
  test.each(partOf([0.1, 0.5, 0.75, 1.5, 2, 5], 3))('at rate %d a tone keeps its pitch and level', async (rate) => {
    const file = await wav(tone(480), { seconds: 6 })
    const [left] = await mix([{ file, rate, end: 1 }], 2)
    expect(heardRange(left)[1]).toBe(48_000)
    const middle = left.subarray(4_800, 43_200)
    expect(amplitude(middle, 480)).toBeGreaterThan(0.49)
    expect(rms(middle)).toBeCloseTo(0.5 / Math.SQRT2, 2)
  })

  test.each(partOf([0.1, 0.5, 2, 5], 2))('at rate %d a source of 0.5 s has the expected duration', async (rate) => {
    const file = await wav(() => 0.25, { seconds: 0.5 })
    const [left] = await mix([{ file, rate }], 6)
    const [first, end] = heardRange(left)
    expect(first).toBe(0)
    expect(Math.abs(end - 24_000 / rate)).toBeLessThan(1_024 + 1_024 / rate)
    expect(left[Math.round(20_000 / rate)]).toBeCloseTo(0.25, 5)
  })

  test.each(partOf([0.5, 1.5, 2], 2))('at rate %d tones start on time', async (rate) => {
    const file = await wav((n) => (n >= 96_000 && n < 144_000 ? tone(480)(n, 0) : 0), { seconds: 4 })
    const [left] = await mix([{ file, rate }], 10)
    const [first, end] = heardRange(left.map((value) => (Math.abs(value) > 0.25 ? value : 0)))
    expect(Math.abs(first - 96_000 / rate)).toBeLessThan(1_100)
    expect(Math.abs(end - 144_000 / rate)).toBeLessThan(1_100)
  })

  test('a loop wraps at the exact sample to its start', async () => {
    const file = await wav((n) => n / 48_000)
    const [left] = await mix([{ file, mediaStart: 0.25, loop: 0.75, end: 2.5 }], 3)
    expect([0, 35_999, 36_000, 71_999, 72_000, 119_999].map((n) => left[n])).toEqual(
      [12_000, 47_999, 12_000, 47_999, 12_000, 23_999].map((n) => expect.closeTo(n / 48_000, 6)),
    )
    expect(heardRange(left)[1]).toBe(120_000)
  })

  test('a track that becomes audible late is at the same position of its source, also in a loop', async () => {
    const file = await wav((n) => n / 48_000)
    const [left] = await mix([{ file, loop: 0.5, start: 0.25, from: 1, end: 2 }], 3)
    expect(heardRange(left)).toEqual([48_000, 96_000])
    expect([left[48_000], left[59_999]]).toEqual([12_000, 23_999].map((n) => expect.closeTo(n / 48_000, 6)))
  })

  test('a loop with a fractional number of samples does not drift', async () => {
    const file = await wav(click(0))
    const loop = 1 / 7
    const [left] = await mix([{ file, loop }], 10)
    const clicks = [...left.keys()].filter((n) => left[n] !== 0)
    expect(clicks).toEqual(Array.from({ length: 70 }, (_, turn) => Math.round((turn * 48_000) / 7)))
  })

  test('a loop keeps its pitch at another speed', async () => {
    const file = await wav(tone(480), { seconds: 0.5 })
    const [left] = await mix([{ file, loop: 0.5, rate: 2 }], 2)
    expect(amplitude(left.subarray(0, 48_000), 480)).toBeGreaterThan(0.45)
    expect(rms(left.subarray(48_000))).toBeGreaterThan(0.3)
  })
})

describe('order', () => {
  test('more tracks than are decoded at once are all in the sum, in every part of it', async () => {
    const file = await wav(() => 1 / 64, { seconds: 3 })
    const [left] = await mix(
      Array.from({ length: 20 }, () => ({ file })),
      3,
    )
    expect(left).toHaveLength(144_000)
    expect(left.every((value) => value === 20 / 64)).toBe(true)
    expect((await readdir(folder)).sort()).toEqual(['mix.wav', 'source.wav'])
  })

  test('a mix grows from its start, and what was written of it does not change', async () => {
    const file = await wav(tone(440), { seconds: 6 })
    const output = join(folder, 'mix.wav')
    const parts: { readonly bytes: number; readonly text: Promise<Buffer> }[] = []
    const onGrowth: AudioMix['onGrowth'] = ({ file: growing, bytes, totalBytes }) => {
      expect([growing, totalBytes]).toEqual([output, 58 + 6 * 48_000 * 8])
      parts.push({ bytes, text: readFile(growing) })
    }
    await mixTo(
      output,
      [
        { file, end: 4 },
        { file, start: 1, rate: 1.5 },
        { file, loop: 0.7 },
      ],
      6,
      { onGrowth },
    )
    const whole = await readFile(output)
    expect(parts.length).toBeGreaterThan(3)
    expect(parts.at(-1)?.bytes).toBe(whole.length)
    for (const { bytes, text } of parts)
      expect((await text).subarray(0, bytes).equals(whole.subarray(0, bytes))).toBe(true)
  })

  test('a mix that grows and fails leaves no file', async () => {
    const file = await wav(tone(440), { seconds: 6 })
    const stop = new AbortController()
    const output = join(folder, 'mix.wav')
    const mixing = mixTo(output, [{ file }], 6, { signal: stop.signal, onGrowth: () => stop.abort('enough') })
    await expect(mixing).rejects.toBe('enough')
    expect(await readdir(folder)).toEqual(['source.wav'])
  })
})

describe('trouble', () => {
  test('a source that breaks off is heard until there, with a warning that names it', async () => {
    const file = await wav(() => 0.25)
    await writeFile(join(folder, 'raw'), Buffer.from(Float32Array.from({ length: 48_000 }, () => 0.5).buffer))
    const breaking = await scripted(folder, `cat '${join(folder, 'raw').replaceAll("'", `'\\''`)}'; exit 1`)
    const [left] = await mix([{ file, label: '<audio src="torn.mp3">' }], 1, { tools: breaking })
    expect([left[0], left[23_999], left[24_000]]).toEqual([0.5, 0.5, 0])
    expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringMatching(/^VID_SOUND_DAMAGED .*torn\.mp3.*exited with code 1/),
    ])
  })

  test('a library of ffmpeg that warns damages no sound, and an error that ffmpeg reports does', async () => {
    const file = await wav(() => 0.25)
    const warning = await scripted(folder, 'echo "Warning: using insecure memory!" >&2; exec "$FFMPEG" "$@"')
    const [left] = await mix([{ file }], 1, { tools: warning })
    expect([left[0], warnings]).toEqual([0.25, []])
    const reporting = await scripted(folder, 'echo "[mp3 @ 0x5e] [error] Header missing" >&2; exec "$FFMPEG" "$@"')
    await mix([{ file }], 1, { tools: reporting })
    expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringMatching(/^VID_SOUND_DAMAGED .*\[mp3\] Header missing/),
    ])
  })

  test('a broken track is skipped with a warning that names it, and the others are mixed', async () => {
    const brokenFile = join(folder, 'broken.mp3')
    await writeFile(brokenFile, 'this is no sound')
    const silent = join(folder, 'silent.mp4')
    await runProcess(tools.ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', 'color=s=16x16:d=1', silent], undefined)
    const file = await wav(() => 0.25)
    const [left] = await mix(
      [
        { file: brokenFile, label: '<audio src="broken.mp3">' },
        { file },
        { file: silent, label: '<video src="silent.mp4">' },
        { file: join(folder, 'missing.wav'), label: '<audio src="missing.wav">' },
        { file },
      ],
      1,
    )
    expect(left.every((value) => value === 0.5)).toBe(true)
    expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringMatching(/^VID_SOUND_LEFT_OUT .*broken\.mp3/),
      expect.stringMatching(/^VID_SOUND_LEFT_OUT .*silent\.mp4.*no sound/),
      expect.stringMatching(/^VID_SOUND_LEFT_OUT .*missing\.wav/),
    ])
    expect((await readdir(folder)).sort()).toEqual(['broken.mp3', 'mix.wav', 'silent.mp4', 'source.wav'])
  })

  test('without an audible track no file is written', async () => {
    const file = await wav(() => 0.25)
    const output = join(folder, 'mix.wav')
    const curve = { fps: 30, firstFrame: 0, values: [0, 0] }
    const parts = [{ file, gain: 0 }, { file, gain: curve }, { file, start: 1 }, { file: join(folder, 'missing.wav') }]
    expect(await mixTo(output, parts, 1)).toEqual({ trackCount: 0 })
    expect(await readdir(folder)).toEqual(['source.wav'])
  })

  test('a playlist with the name of a sound file opens no other file', async () => {
    const file = join(folder, 'list.mp3')
    await writeFile(file, `ffconcat version 1.0\nfile http://localhost:9/a.mp3\n`)
    expect(await mixTo(join(folder, 'mix.wav'), [{ file }], 1)).toEqual({ trackCount: 0 })
    expect(warnings).toMatchObject([{ code: 'VID_SOUND_LEFT_OUT' }])
  })

  test.each([
    ['is killed', 'kill -9 $$'],
    ['finds no folder to write to', 'exec "$FFMPEG" -f lavfi -i sine /nowhere/mix.wav'],
  ])('a decoder that %s fails the mix: no track is left out for it', async (_name, script) => {
    const file = await wav(() => 0.25)
    const failing = await scripted(folder, script)
    await expect(mixTo(join(folder, 'mix.wav'), [{ file }, { file }], 1, { tools: failing })).rejects.toMatchObject({
      code: 'VID_FFMPEG_FAILED',
      fault: 'machine',
    })
    expect(warnings).toEqual([])
    expect((await readdir(folder)).filter((name) => name.endsWith('.wav'))).toEqual(['source.wav'])
  })

  test('a disk that is full fails the mix: no track is left out for it', async () => {
    const file = await wav(() => 0.25)
    const output = join(folder, 'mix.wav')
    const loops = [{ file, loop: 0.5 }, { file }]
    for (const path of [`${output}.partial`, `${output}.source-0`]) {
      await symlink('/dev/full', path)
      await expect(mixTo(output, loops, 1), path).rejects.toMatchObject({ code: 'ENOSPC' })
      expect(warnings).toEqual([])
      expect(await readdir(folder)).toEqual(['source.wav'])
    }
  })

  test('equal jobs give equal bytes', async () => {
    const file = await wav(tone(440), { channels: 1, sampleRate: 44_100 })
    const digests = []
    for (const name of ['one.wav', 'two.wav']) {
      await mixTo(
        join(folder, name),
        [
          { file, rate: 1.3 },
          { file, start: 0.3, gain: 0.7 },
        ],
        1,
      )
      digests.push((await readFile(join(folder, name))).toString('base64'))
    }
    expect(digests[0]).toBe(digests[1])
  })

  test('an abort while a source is decoded leaves no process and no file', async () => {
    const file = await wav(() => 0.25)
    const stuck = await scripted(folder, `echo $$ > '${folder.replaceAll("'", `'\\''`)}/pid'; exec sleep 60`)
    const stop = new AbortController()
    const mixing = mixTo(join(folder, 'mix.wav'), [{ file }], 1, { tools: stuck, signal: stop.signal })
    const outcome = expect(mixing).rejects.toBe('enough')
    const pid = await waitFor(() => readFile(join(folder, 'pid'), 'utf8').then(Number))
    stop.abort('enough')
    await outcome
    expect(() => process.kill(pid, 0)).toThrow(expect.objectContaining({ code: 'ESRCH' }))
    expect((await readdir(folder)).sort()).toEqual(['ffmpeg', 'pid', 'source.wav'])
  })
})

const waitFor = async (find: () => Promise<number>): Promise<number> => {
  for (;;) {
    const onset = await find().catch(() => 0)
    if (onset) return onset
    await new Promise((resolve) => setImmediate(resolve))
  }
}
