import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { defineErrors } from '@vid/protocol'
import { expect, test } from 'vitest'
import { growthOf, MOST_GROWTH } from '../../../../scripts/dev/growth.ts'
import { createReplyText, inOneText } from './index.ts'

const throwing = defineErrors({
  VID_TEST: (f: { path: string }) => ({
    message: `${f.path} is broken`,
    hint: `look at ${f.path}`,
    fault: 'render',
  }),
  VID_UNEXPECTED: (f: { path: string }) => ({ message: `stack of ${f.path}`, hint: '', fault: 'render' }),
})
const folder = resolve(tmpdir(), '..', 'vid-server')
const signed = 'https://user:pass@host.example/a.png?token=secret'

test('messages and hints of errors and warnings have no path of the server', () => {
  const text = createReplyText([folder])
  for (const parent of [join(folder, 'vid-job-1'), join(tmpdir(), 'vid-work-1'), process.cwd()]) {
    const path = join(parent, 'project/index.html')
    const plain = { message: '…/index.html is broken', hint: 'look at …/index.html' }
    expect(text.describe(throwing('VID_TEST', { path }))).toEqual(plain)
    expect(text.replyError(throwing('VID_TEST', { path }))).toEqual({
      code: 'VID_TEST',
      fault: 'render',
      ...plain,
    })
    expect(text.warning({ code: 'VID_W', message: `no ${path}`, hint: path })).toEqual({
      code: 'VID_W',
      message: 'no …/index.html',
      hint: '…/index.html',
    })
  }
})

test('nor have they credentials', () => {
  const text = createReplyText()
  const plain = 'https://host.example/a.png?…'
  expect(text.describe(throwing('VID_TEST', { path: signed }))).toEqual({
    message: `${plain} is broken`,
    hint: `look at ${plain}`,
  })
  expect(text.warning({ message: signed, hint: signed })).toEqual({ message: plain, hint: plain })
})

test('a character that no client or database can take is replaced', () => {
  const text = createReplyText()
  expect(text.describe(throwing('VID_TEST', { path: 'a\0b' })).message).toBe('a\ufffdb is broken')
  expect(text.warning({ message: 'half of 🎬: \ud83c, whole: 🎬' }).message).toBe('half of 🎬: \ufffd, whole: 🎬')
})

test('a message that quotes a long value keeps both of its ends', () => {
  const { message } = createReplyText().describe(throwing('VID_TEST', { path: `'${'1'.repeat(400_000)}x'` }))
  expect(message).toMatch(/^'1{1000,} … 1{1000,}x' is broken$/)
  expect(message.length).toBeLessThan(5000)
  const secret = `${'a'.repeat(1980)} ${signed} ${'a'.repeat(400_000)}`
  expect(createReplyText().describe(throwing('VID_TEST', { path: secret })).message).not.toMatch(/pass|secret/)
})

test.each([`${folder} `, `${folder}/a/b `, `${folder}/`, '/'])(
  'a text of many times %j is read in linear time',
  (word) => {
    const text = createReplyText([folder])
    const textOf = (length: number) => word.repeat(Math.ceil(length / word.length))
    const read = (path: string) => void text.describe(throwing('VID_TEST', { path }))
    expect(growthOf(textOf, read)).toBeLessThan(MOST_GROWTH)
  },
)

test('what programs wrote is left to the log', () => {
  const { message } = createReplyText().describe(throwing('VID_UNEXPECTED', { path: '/srv/secret' }))
  expect(message).not.toContain('secret')
})

test('other words take the place of those of an error', () => {
  const text = createReplyText([], () => ({ message: 'The database is away.', hint: 'Try again.' }))
  expect(inOneText(text.describe(throwing('VID_TEST', { path: '/srv' })))).toBe('The database is away. Try again.')
})
