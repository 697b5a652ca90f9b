import { expect, test } from 'vitest'
import { readNumber } from '../source/numbers.ts'
import { parseStart } from './start-expression.ts'

const isName = (name: string) => name === 'part - 2'

test.each([
  ['2.5', { seconds: 2.5 }],
  ['-1', { seconds: 0 }],
  ['intro', { after: 'intro', offset: 0 }],
  ['intro + 0.5', { after: 'intro', offset: 0.5 }],
  ['intro+.5', { after: 'intro', offset: 0.5 }],
  ['intro - 2', { after: 'intro', offset: -2 }],
  ['intro-2', { after: 'intro-2', offset: 0 }],
  ['intro + 1 + 2.', { after: 'intro + 1', offset: 2 }],
  ['intro + 1.2.3', { after: 'intro + 1.2.3', offset: 0 }],
  ['+ 2', { after: '+ 2', offset: 0 }],
  ['part - 2', { after: 'part - 2', offset: 0 }],
  ['part - 2 + 1', { after: 'part - 2', offset: 1 }],
])('the start %s is read', (text, start) => {
  expect(parseStart(text, isName)).toEqual(start)
})

test.each([
  ['digits', '9'.repeat(400_000)],
  ['digits and a letter', `${'9'.repeat(400_000)}x`],
  ['a number of digits in another', `${'9'.repeat(200_000)}.${'9'.repeat(200_000)}x`],
  ['spaces in a name', `a${' '.repeat(400_000)}b`],
  ['spaces before an amount that is none', `a${' '.repeat(400_000)}+${' '.repeat(400_000)}b`],
  ['signs', 'a +'.repeat(200_000)],
])('a text with 400,000 %s is read as quickly as it is long', (_name, text) => {
  expect(readNumber(text)).toBeNull()
  expect(parseStart(text, () => false)).toHaveProperty('after')
})
