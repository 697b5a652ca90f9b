import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCaptionsImport } from './run-import.ts'

const SRT = '1\n00:00:01,000 --> 00:00:02,500\nOne\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n'

const freshFolder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'vid-captions-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

const importing = (cwd: string, file: string, options: Parameters<typeof runCaptionsImport>[0]['options'] = {}) =>
  runCaptionsImport({ arguments: { file }, options, cwd, signal: new AbortController().signal })

test('SRT becomes WebVTT beside it, later and with a language', async () => {
  const folder = await freshFolder()
  await writeFile(join(folder, 'talk.srt'), SRT)
  expect(await importing(folder, 'talk.srt', { offset: '0.5', language: 'en' })).toEqual({
    file: 'talk.vtt',
    format: 'srt',
    encoding: 'utf-8',
    language: 'en',
    cues: 2,
    words: 0,
    speakers: [],
    end: 4.5,
  })
  expect(await readFile(join(folder, 'talk.vtt'), 'utf8')).toBe(
    'WEBVTT\nLanguage: en\n\n00:00:01.500 --> 00:00:03.000\nOne\n\n00:00:03.500 --> 00:00:04.500\nTwo\n',
  )
})

test('a file that exists is replaced only with --force, also the file itself', async () => {
  const folder = await freshFolder()
  const path = join(folder, 'talk.vtt')
  await writeFile(path, 'WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n')
  await expect(importing(folder, 'talk.vtt')).rejects.toMatchObject({ code: 'VID_CAPTIONS_EXISTS' })
  expect(await readFile(path, 'utf8')).toContain('00:01.000')
  await importing(folder, 'talk.vtt', { force: true, offset: '1' })
  expect(await readFile(path, 'utf8')).toContain('00:00:02.000 --> 00:00:03.000')
})

test.each([
  ['nothing.srt', {}, 'VID_CAPTIONS_FILE'],
  ['talk.srt', { output: 'talk.txt' }, 'VID_CAPTIONS_OUTPUT'],
  ['talk.srt', { output: 'missing/talk.vtt' }, 'VID_CAPTIONS_UNWRITABLE'],
  ['talk.srt', { format: 'vtt' }, 'VID_CAPTIONS_BROKEN'],
] as const)('%s with %j is refused and writes nothing', async (file, options, code) => {
  const folder = await freshFolder()
  await writeFile(join(folder, 'talk.srt'), SRT)
  await expect(importing(folder, file, options)).rejects.toMatchObject({ code })
  await expect(readFile(join(folder, 'talk.vtt'))).rejects.toMatchObject({ code: 'ENOENT' })
})
