import { expect, test } from 'vitest'
import { defineErrors, defineWarnings } from './index.ts'

const texts = (f: { reason: string }) => ({ message: `It failed: ${f.reason}.`, hint: 'Try again.' })
const fail = defineErrors({ VID_TEST: (f: { reason: string }) => ({ ...texts(f), fault: 'render' }) })
const warning = defineWarnings({ VID_TEST: texts })

test.each([
  ['no space left', 'It failed: no space left.'],
  ['It is full.', 'It failed: It is full.'],
  ['the last line\n', 'It failed: the last line.'],
  ['is it there?', 'It failed: is it there?'],
  ["open 'a.mp4'", "It failed: open 'a.mp4'."],
])('a message with the reason %j ends in one stop', (reason, message) => {
  expect(fail('VID_TEST', { reason }).message).toBe(message)
  expect(warning('VID_TEST', { reason }).message).toBe(message)
})
