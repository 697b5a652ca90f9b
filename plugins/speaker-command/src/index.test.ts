import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scratchFolder, speakerSuite } from '@vid/testkit'
import { expect, test, vi } from 'vitest'
import program from './index.ts'

const script = fileURLToPath(new URL('./fixtures/piper.mjs', import.meta.url))
const words = [process.execPath, script, '-o', '{output}']
const way = (name: string, ...more: string[]) => ({ command: [...words, '--fail', name, ...more] })
const withTimes = way('times', '--times', '{folder}')

speakerSuite(program, {
  options: withTimes,
  broken: {
    'a program that is not installed': { command: ['/no/such/piper'] },
    'an exit code': way('code'),
    'a program that writes nothing': way('empty'),
    'times that are cut off': way('broken-times', '--times', '{folder}'),
    'a time limit': { ...way('hang', '--pid', '/dev/null'), timeoutMs: 1500 },
  },
  endless: async () => {
    const pid = join(await scratchFolder(), 'pid')
    const reached = vi.waitFor(async () => expect(await readFile(pid, 'utf8')).not.toBe(''), {
      timeout: 60_000,
      interval: 20,
    })
    return { options: way('hang', '--pid', pid), reached }
  },
})

const speak = async (text: string, options: Parameters<typeof program>[0]) => {
  const plugin = program(options)
  const path = join(await scratchFolder(), 'speech.wav')
  const context = { options: plugin.options, signal: new AbortController().signal, workDir: await scratchFolder() }
  return { spoken: await plugin.speak({ text, path }, context), sound: await readFile(path) }
}

test('the text is read from the standard input or from a file, and the times of words are used if there are some', async () => {
  const timed = await speak('Hello there', withTimes)
  expect(timed.spoken).toEqual({
    words: [
      { text: 'Hello', start: 0, end: 0.25 },
      { text: 'there', start: 0.25, end: 0.5 },
    ],
  })
  const untimed = await speak('Hello there', { command: [...words, '-f', '{input}'] })
  expect(untimed.spoken).toEqual({})
  expect(untimed.sound.equals(timed.sound)).toBe(true)
})
