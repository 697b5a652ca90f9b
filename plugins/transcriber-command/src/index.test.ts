import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isProcessAlive } from '@vid/system'
import { scratchFolder, transcriberSuite, wavOf } from '@vid/testkit'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import program from './index.ts'

const script = fileURLToPath(new URL('./fixtures/whisper-cli.mjs', import.meta.url))
const SECRET = 'a-secret-of-the-environment'
const words = [process.execPath, script, '-f', '{input}', '-l', '{language}', '-ojf', '-of', '{output}']
const failing = (fail: string, ...more: string[]) => ({ command: [...words, '--fail', fail, ...more] })

beforeEach(() => {
  vi.stubEnv('SPEECH_TOKEN', SECRET)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

/** Resolves to the content of a file once it has some. */
const contentOf = (path: string): Promise<string> =>
  vi.waitFor(
    async () => {
      const text = await readFile(path, 'utf8')
      if (text === '') throw new Error('it is empty')
      return text
    },
    { timeout: 60_000, interval: 20 },
  )

const gone = (pid: number) => expect.poll(() => isProcessAlive(pid)).toBe(false)

transcriberSuite(program, {
  options: { command: words },
  broken: {
    'a program that is not installed': { command: ['/no/such/whisper-cli'] },
    'an exit code': { ...failing('code'), environment: ['SPEECH_TOKEN'] },
    'a program that is killed': failing('killed'),
    'a program that writes nothing': failing('empty'),
    'a text that is no transcript': failing('no-json'),
    'a transcript that is cut off': failing('half'),
    'JSON that is no transcript': failing('other-json'),
    'more than 64 MiB': failing('large'),
    'a time limit': { ...failing('hang', '--pids', '/dev/null'), timeoutMs: 1500 },
  },
  secrets: [SECRET],
  endless: async () => {
    const pids = join(await scratchFolder(), 'pids')
    return { options: failing('hang', '--pids', pids), reached: contentOf(pids) }
  },
})

/** Transcribes two seconds with the stand-in. */
const transcribe = async (options: Parameters<typeof program>[0], language?: string, signal?: AbortSignal) => {
  const folder = await scratchFolder()
  const file = join(await scratchFolder(), 'sound.wav')
  await writeFile(
    file,
    wavOf(() => 0.5, { seconds: 2, rate: 16_000 }),
  )
  const plugin = program(options)
  const job = { file, ...(language !== undefined && { language }) }
  const context = { options: plugin.options, signal: signal ?? new AbortController().signal, workDir: folder }
  return plugin.transcribe(job, context)
}

test('words and their times come from the file that the program writes, or from what it prints', async () => {
  const cue = {
    start: 0.5,
    end: 1.9,
    text: 'Good morning, all.',
    words: [
      { text: 'Good', start: 0.5, end: 0.9 },
      { text: 'morning,', start: 0.9, end: 1.4 },
      { text: 'all.', start: 1.4, end: 1.9 },
    ],
  }
  expect(await transcribe({ command: words }, 'de')).toEqual({ language: 'de', cues: [cue] })
  expect(await transcribe(failing('prints'))).toEqual({ language: 'en', cues: [cue] })
})

test('an error has the last words of the program, without the variables that it was given', async () => {
  const failed = transcribe({ ...failing('code'), environment: ['SPEECH_TOKEN'] })
  await expect(failed).rejects.toThrow('exited with code 3: loading | error: no model for …')
  // Without being named, it is not passed on.
  await expect(transcribe(failing('code'))).rejects.toThrow('no model for undefined')
})

test('what the program has started ends with it, after a stop and after its own end', async () => {
  const folder = await scratchFolder()
  const stop = new AbortController()
  const running = transcribe(failing('hang', '--pids', join(folder, 'hang')), undefined, stop.signal)
  const outcome = expect(running).rejects.toThrow('enough')
  const pids = (await contentOf(join(folder, 'hang'))).split(' ').map(Number)
  stop.abort(new Error('enough'))
  await outcome
  for (const pid of pids) await gone(pid)
  await transcribe(failing('leaves-child', '--pids', join(folder, 'left')))
  await gone(Number(await contentOf(join(folder, 'left'))))
})

test('a changed model is another maker', async () => {
  const model = join(await scratchFolder(), 'model.bin')
  const build = async () => {
    const plugin = program({ command: ['whisper-cli', '-m', model] })
    return plugin.build?.({ options: plugin.options, signal: new AbortController().signal, workDir: '/' })
  }
  await writeFile(model, 'small')
  const before = await build()
  await writeFile(model, 'larger')
  expect(await build()).not.toBe(before)
})
