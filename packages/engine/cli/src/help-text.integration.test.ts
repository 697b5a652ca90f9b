import { Writable } from 'node:stream'
import { optionGroups } from '@vid/command/line'
import { expect, test } from 'vitest'
import { main } from './main.ts'

/** The lines that a command's help writes to a terminal of `columns` columns. */
const helpOf = async (words: readonly string[], columns: number | undefined) => {
  let text = ''
  const stdout = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk)
        done()
      },
    }),
    { columns },
  )
  const context = {
    stdin: process.stdin,
    stdout,
    stderr: stdout,
    env: {},
    colorDepth: 1,
    cwd: import.meta.dirname,
    signal: new AbortController().signal,
    unguarded: <T>(run: () => Promise<T>) => run(),
  }
  expect(await main([...words, '--help'], context)).toBe(0)
  return text.split('\n')
}

test.each([60, 80, 120])('the help of vid render fits %i columns, and breaks between words', async (columns) => {
  const lines = await helpOf(['render'], columns)
  // An example is one line to copy.
  const text = lines.slice(0, lines.indexOf('examples:'))
  expect(text.filter((line) => line.length > columns)).toEqual([])
  expect(text.join(' ').replaceAll(/\s+/g, ' ')).toContain('a folder for png-sequence and hls; with --batch')
})

test('many flags come in groups, few in one', async () => {
  const titles = async (command: string) => (await helpOf([command], 80)).filter((line) => /^[a-z][a-z ]*:$/.test(line))
  expect(await titles('render')).toEqual(
    [...Object.keys(optionGroups), 'other flags', 'examples'].map((title) => `${title}:`),
  )
  expect(await titles('lint')).toEqual(['flags:', 'examples:'])
})
