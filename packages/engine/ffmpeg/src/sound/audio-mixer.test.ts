import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MixJob } from '@vid/kernel'
import type { MediaTrack, RenderPlan } from '@vid/protocol'
import { expect, test } from 'vitest'
import { scratch } from '../fixtures/sliding-bar.ts'
import { amplitude, readMix, tone, writeWav } from '../fixtures/tones.ts'
import { readSource } from '../index.ts'
import { mixPlan } from './audio-mixer.ts'

const SRC = 'https://sounds.example/tone.wav'

/** Mixes a plan whose one sound was the file `planned`, and is what `find` resolves to now. */
const mixWith = async (planned: string, find: () => Promise<string | undefined>) => {
  const { digest, duration, sound } = await readSource(planned)
  const track: MediaTrack = {
    id: 'm0',
    kind: 'audio',
    src: SRC,
    start: 0,
    end: 1,
    mediaStart: 0,
    rate: 1,
    loop: false,
    volume: 1,
    muted: false,
    hasAudio: null,
    source: { digest, duration, sound, picture: null },
  }
  const folder = await scratch()
  const job: MixJob = {
    plan: { frames: 30, fps: 30, audio: [track] } as unknown as RenderPlan,
    path: join(folder, 'sound'),
    projectDir: folder,
    workDir: folder,
    signal: new AbortController().signal,
    warn() {},
    sources: { file: async (src) => (src === SRC ? find() : undefined) },
  }
  return mixPlan(job)
}

test('the sound of a plan is read from the file that the render finds for its source', async () => {
  const file = await writeWav(join(await scratch(), 'fetched'), tone(500))
  const { file: mixed } = await mixWith(file, async () => file)
  const [left] = await readMix(mixed ?? '')
  expect(amplitude(left, 500)).toBeCloseTo(0.5, 2)
})

test('a source that is another file than planned, or is gone, is an error and not a silent video', async () => {
  const folder = await scratch()
  const planned = await writeWav(join(folder, 'planned.wav'), tone(500))
  const other = await writeWav(join(folder, 'other.wav'), tone(600))
  const changed = { code: 'VID_MEDIA_CHANGED', message: expect.stringContaining(SRC) }
  await expect(mixWith(planned, async () => other)).rejects.toMatchObject(changed)
  await expect(mixWith(planned, async () => undefined)).rejects.toMatchObject({
    ...changed,
    facts: { found: 'missing' },
  })
})

test('a source that is replaced while it is mixed is an error', async () => {
  const file = await writeWav(join(await scratch(), 'tone.wav'), tone(500))
  let looks = 0
  const replaced = async () => {
    looks += 1
    // By the second look, it has been decoded.
    return looks === 1 ? file : writeWav(file, tone(600))
  }
  await expect(mixWith(file, replaced)).rejects.toMatchObject({ code: 'VID_MEDIA_CHANGED' })
})

test('the sound of a plan without a loudness has the bytes that it always had', async () => {
  const square = (sample: number, channel: number) => ((sample >> (6 + channel)) % 2 === 0 ? 1.5 : -0.25)
  const file = await writeWav(join(await scratch(), 'square.wav'), square)
  const { file: mixed } = await mixWith(file, async () => file)
  const digest = createHash('sha256').update(await readFile(mixed ?? ''))
  expect(digest.digest('hex')).toBe('b9d50ef451f56181e97661a83621ce957810972f85ab791244d7d7a899c94d66')
})
