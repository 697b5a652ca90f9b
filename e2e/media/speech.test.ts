import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isProcessAlive } from '@vid/system'
import { expect, test } from 'vitest'
import { writeTone } from '../support/sound.ts'
import { here, scratch, start, until, vid } from '../support/vid.ts'

/** A talk of two seconds, and an empty cache, beside the config with stand-ins of speech programs. */
const makeTalk = async () => {
  const folder = await scratch()
  const cache = join(folder, 'cache')
  await mkdir(cache, { mode: 0o700 })
  const talk = join(folder, 'talk.wav')
  await writeTone(talk, 440, 2)
  const env = { VID_CACHE_DIR: cache }
  return { folder, talk, cwd: here('projects/speech'), env }
}

const jsonOf = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout)

test('a talk is transcribed by a program, and by the cache when it is asked for again', async () => {
  const { folder, talk, cwd, env } = await makeTalk()
  const output = join(folder, 'talk.vtt')
  const transcribe = (...more: string[]) =>
    vid(['captions', 'transcribe', talk, '-o', output, '--language', 'en', ...more], { cwd, env })
  const first = await transcribe('--json')
  expect(first.code, first.stderr).toBe(0)
  const facts = { type: 'captions-transcribe', plugin: '@vid/transcriber-command', language: 'en', cues: 1, words: 3 }
  expect(jsonOf(first)).toMatchObject({ ...facts, kept: false })
  expect(await readFile(output, 'utf8')).toBe(
    'WEBVTT\nLanguage: en\n\n00:00:00.500 --> 00:00:01.900\nGood <00:00:00.900>morning, <00:00:01.400>all.\n',
  )
  expect(await transcribe()).toMatchObject({ code: 2, stderr: expect.stringContaining('VID_CAPTIONS_EXISTS') })
  expect(jsonOf(await transcribe('--force', '--json'))).toMatchObject({ ...facts, kept: true })
})

test('a text is spoken with captions beside it', async () => {
  const { folder, cwd, env } = await makeTalk()
  const output = join(folder, 'intro.wav')
  await writeFile(join(folder, 'intro.txt'), 'Good morning to all of you.\n')
  const spoken = await vid(['captions', 'speak', join(folder, 'intro.txt'), '-o', output, '--json'], { cwd, env })
  expect(spoken.code, spoken.stderr).toBe(0)
  expect(jsonOf(spoken)).toMatchObject({ type: 'captions-speak', seconds: 1.5, cues: 1, estimated: true, kept: false })
  expect(await readFile(join(folder, 'intro.vtt'), 'utf8')).toMatch(
    /00:00:00\.000 --> 00:00:01\.500\nGood <00:00:00.278>morning </,
  )
})

test.each([
  ['code', 'VID_SPEECH_PROGRAM_FAILED'],
  ['empty', 'VID_SPEECH_PROGRAM_EMPTY'],
  ['half', 'VID_SPEECH_OUTPUT'],
])('a program that fails by %s is an error, and no captions are written', async (fail, code) => {
  const { folder, talk, cwd, env } = await makeTalk()
  const run = await vid(['captions', 'transcribe', talk, '-o', join(folder, 'talk.vtt')], {
    cwd,
    env: { ...env, SPEECH_FAIL: fail },
  })
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining(code) })
  expect((await readdir(folder)).sort()).toEqual(['cache', 'talk.wav'])
})

test('Ctrl-C ends the program with all that it has started', async () => {
  const { folder, talk, cwd, env } = await makeTalk()
  const file = join(folder, 'pids')
  const temporary = join(folder, 'temporary')
  await mkdir(temporary)
  const run = start(['captions', 'transcribe', talk, '-o', join(folder, 'talk.vtt')], {
    cwd,
    env: { ...env, SPEECH_FAIL: 'hang', SPEECH_PIDS: file, TMPDIR: temporary },
  })
  const text = await until(async () => (await readFile(file, 'utf8').catch(() => '')) || undefined)
  const pids = text.split(' ').map(Number)
  expect(pids.filter((pid) => isProcessAlive(pid))).toHaveLength(2)
  run.child.kill('SIGINT')
  expect((await run.done).code).toBe(130)
  await until(async () => pids.every((pid) => !isProcessAlive(pid)) || undefined)
  expect(await readdir(temporary)).toEqual([])
})

test('without a transcriber, an error says what to configure', async () => {
  const { folder, talk, env } = await makeTalk()
  const run = await vid(['captions', 'transcribe', talk], { cwd: folder, env })
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('VID_TRANSCRIBER_NONE') })
  expect(run.stderr).toContain('@vid/transcriber-command')
  const spoken = await vid(['captions', 'speak', talk], { cwd: folder, env })
  expect(spoken).toMatchObject({ code: 2, stderr: expect.stringContaining('VID_SPEAKER_NONE') })
})
