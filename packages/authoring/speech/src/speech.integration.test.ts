import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readVtt } from '@vid/captions'
import { readSource } from '@vid/ffmpeg'
import { defineSpeaker, defineTranscriber, type SpeakerDefinition, type TranscriberDefinition } from '@vid/kernel'
import { Type } from '@vid/protocol'
import { scratchFolder, wavOf } from '@vid/testkit'
import { expect, test } from 'vitest'
import { speakText, transcribeFile } from './index.ts'

const CUES = [{ start: 0.5, end: 1, text: 'Good morning', words: [{ text: 'Good', start: 0.5, end: 0.7 }] }]

const options = Type.Object({
  model: Type.Optional(Type.String()),
  token: Type.Optional(Type.String({ writeOnly: true })),
})

/** A transcriber that counts its calls. */
const countingTranscriber = (work?: TranscriberDefinition<object>['transcribe']) => {
  const calls: (string | undefined)[] = []
  const make = defineTranscriber({
    name: '@vid/test-transcriber',
    options,
    async transcribe(job, context) {
      calls.push(job.language)
      return work ? work(job, context) : { cues: CUES, language: job.language ?? 'en' }
    },
  })
  return { make, calls }
}

const countingSpeaker = (work: SpeakerDefinition<object>['speak']) => {
  const calls: string[] = []
  const make = defineSpeaker({
    name: '@vid/test-speaker',
    options,
    async speak(job, context) {
      calls.push(job.text)
      return work(job, context)
    },
  })
  return { make, calls }
}

const project = async () => {
  const folder = await scratchFolder()
  const cache = join(folder, 'cache')
  await mkdir(cache, { mode: 0o700 })
  const file = join(folder, 'talk.wav')
  await writeFile(
    file,
    wavOf((time) => 0.5 * Math.sin(2000 * time), { seconds: 2, channels: 2, bits: 32 }),
  )
  return { folder, file, cache, call: { env: { VID_CACHE_DIR: cache }, signal: new AbortController().signal } }
}

test('a transcriber gets a wav of 16 kHz and is asked once for a sound, a language, its options and a model', async () => {
  const { file, cache, call } = await project()
  const sources: unknown[] = []
  const { make, calls } = countingTranscriber(async (job) => {
    const { duration, sound } = await readSource(job.file)
    sources.push([duration, sound?.channels])
    return { cues: CUES }
  })
  const first = await transcribeFile(make({ token: 'first' }), { file }, call)
  expect(first).toEqual({ captions: { cues: CUES }, isKept: false })
  // Another token is no other maker.
  const again = await transcribeFile(make({ token: 'second' }), { file }, call)
  expect(again).toEqual({ captions: { cues: CUES }, isKept: true })
  expect(calls).toHaveLength(1)
  expect(sources).toEqual([[2, 1]])
  await transcribeFile(make({ model: 'large' }), { file }, call)
  await transcribeFile(make(), { file, language: 'de' }, call)
  await transcribeFile(make(), { file }, { ...call, isFresh: true })
  await writeFile(
    file,
    wavOf(() => 0.1, { seconds: 2 }),
  )
  await transcribeFile(make(), { file }, call)
  expect(calls).toEqual([undefined, undefined, 'de', undefined, undefined])
  const kept = await readdir(join(cache, 'speech/results'))
  expect(kept).toHaveLength(4)
  const texts = await Promise.all(kept.map((name) => readFile(join(cache, 'speech/results', name), 'utf8')))
  expect(texts.join('')).not.toMatch(/"(?:first|second)"/)
  expect(JSON.parse(texts[0] ?? '').by).toMatchObject({ plugin: '@vid/test-transcriber', build: '' })
})

test('a damaged result is asked for again', async () => {
  const { file, cache, call } = await project()
  const { make, calls } = countingTranscriber()
  await transcribeFile(make(), { file }, call)
  const [name = ''] = await readdir(join(cache, 'speech/results'))
  await writeFile(join(cache, 'speech/results', name), '{"cues":[{"sta')
  expect(await transcribeFile(make(), { file }, call)).toMatchObject({ isKept: false, captions: { cues: CUES } })
  expect(calls).toHaveLength(2)
})

test.each([
  ['no list of cues', { cues: undefined }, 'its cues are no list'],
  ['a cue that ends before its start', { cues: [{ text: 'Hi', start: 2, end: 1 }] }, '"Hi" is from 2 to 1 s'],
  ['a time that is none', { cues: [{ text: 'Hi', start: Number.NaN, end: 1 }] }, '"Hi" is from NaN to 1 s'],
  ['words without times', { cues: [{ ...CUES[0], words: [{ text: 'Good' }] }] }, 'from undefined to undefined'],
])('an answer with %s is refused and not kept', async (_, answer, reason) => {
  const { file, cache, call } = await project()
  const { make } = countingTranscriber(async () => answer as never)
  const outcome = transcribeFile(make(), { file }, call)
  await expect(outcome).rejects.toMatchObject({ code: 'VID_SPEECH_OUTPUT', message: expect.stringContaining(reason) })
  await expect(readdir(join(cache, 'speech/results'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a file without sound is an error before anything is asked, and what a plugin throws is its own', async () => {
  const { folder, file, call } = await project()
  const { make, calls } = countingTranscriber(async () => {
    throw new Error('no model')
  })
  await writeFile(join(folder, 'talk.txt'), 'no sound')
  const silent = transcribeFile(make(), { file: join(folder, 'talk.txt') }, call)
  await expect(silent).rejects.toMatchObject({ code: 'VID_FFMPEG_PROBE' })
  expect(calls).toEqual([])
  await expect(transcribeFile(make(), { file }, call)).rejects.toMatchObject({
    code: 'VID_PLUGIN_FAILED',
    plugin: '@vid/test-transcriber',
  })
})

test('an abort ends the call also where the plugin does not listen to it', async () => {
  const { file, call } = await project()
  const stop = new AbortController()
  const { make } = countingTranscriber(() => {
    stop.abort(new Error('enough'))
    return new Promise(() => {})
  })
  await expect(transcribeFile(make(), { file }, { ...call, signal: stop.signal })).rejects.toThrow('enough')
})

const writeTone = (path: string, seconds: number) =>
  writeFile(
    path,
    wavOf(() => 0.3, { seconds, rate: 22_050 }),
  )

test('a text is spoken once, and its sound comes back from the cache', async () => {
  const { cache, call } = await project()
  const words = [
    { text: 'Hello', start: 0, end: 0.5 },
    { text: 'there.', start: 0.5, end: 1 },
  ]
  const { make, calls } = countingSpeaker(async ({ path }) => {
    await writeTone(path, 1)
    return { words }
  })
  const speak = () =>
    speakText(
      make(),
      { text: 'Hello there.', language: 'en' },
      async ({ sound, ...spoken }) => ({ ...spoken, bytes: await readFile(sound) }),
      call,
    )
  const first = await speak()
  expect(first).toMatchObject({
    captions: { language: 'en', cues: [{ start: 0, end: 1, text: 'Hello there.', words }] },
    isEstimated: false,
    seconds: 1,
    isKept: false,
  })
  const second = await speak()
  expect(second).toEqual({ ...first, isKept: true })
  expect(calls).toHaveLength(1)
  const sound = (await readdir(join(cache, 'speech/results'))).find((name) => name.endsWith('.wav')) ?? ''
  await writeFile(join(cache, 'speech/results', sound), 'RIFF')
  expect(await speak()).toEqual(first)
  expect(calls).toHaveLength(2)
})

test('times of words are estimated where the speaker has none', async () => {
  const { call } = await project()
  const { make } = countingSpeaker(async ({ path }) => {
    await writeTone(path, 2)
    return {}
  })
  const spoken = await speakText(make(), { text: 'One two' }, async (all) => all, call)
  expect(spoken).toMatchObject({ isEstimated: true, seconds: 2 })
  const [cue] = spoken.captions.cues
  expect(cue).toMatchObject({ start: 0, end: 2, text: 'One two' })
  expect(cue?.words?.map(({ text }) => text)).toEqual(['One', 'two'])
})

test.each([
  ['no sound', async () => ({}), 'it has written no sound'],
  ['a text', async ({ path }: { path: string }) => writeFile(path, 'no sound').then(() => ({})), 'no known container'],
] as const)('a speaker that writes %s is refused', async (_, work, reason) => {
  const { call } = await project()
  const { make } = countingSpeaker(work)
  const outcome = speakText(make(), { text: 'Hello' }, async () => 'used', call)
  await expect(outcome).rejects.toMatchObject({ code: 'VID_SPEECH_OUTPUT', message: expect.stringContaining(reason) })
})

test('captions of a spoken text are WebVTT that reads back', async () => {
  const { writeVtt } = await import('@vid/captions')
  const { call } = await project()
  const { make } = countingSpeaker(async ({ path }) => {
    await writeTone(path, 3)
    return {}
  })
  const { captions } = await speakText(make(), { text: 'Grüße aus 東京, 👋 you.' }, async (all) => all, call)
  expect(readVtt(writeVtt(captions))).toMatchObject({ captions: { cues: [{ text: 'Grüße aus 東京, 👋 you.' }] } })
})
