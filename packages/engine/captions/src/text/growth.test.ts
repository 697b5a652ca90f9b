import { expect, test } from 'vitest'
import { growthOf, MOST_GROWTH } from '../../../../../scripts/dev/growth.ts'
import { wordsOfText } from '../model/heard-words.ts'
import { readAss } from './ass.ts'
import { readSrt } from './srt.ts'
import { readTimes } from './timestamp.ts'
import { readVttText } from './vtt-text.ts'

const cue = (text: string) => readSrt(`1\n00:01,000 --> 00:02,000\n${text}`)

test.each<[(text: string) => void, string, string?, string?]>([
  [readTimes, ' ', '00:01.000 --> 00:02.000', 'x\u0000'],
  [readTimes, ' '],
  [(text) => readVttText(text, 0, 1), '<'],
  [(text) => readVttText(text, 0, 1), ' ', '<v', '>'],
  [cue, '<b '],
  [cue, '{\\'],
  [readAss, '['],
  [readAss, ' '],
  [(text) => readAss(`[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,${text}`), '{'],
  [(text) => readAss(`[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,${text}`), '{\\pos(1'],
  [(text) => wordsOfText(text, [{ text: 'a' }, { text: 'b' }]), 'a '],
  [
    (text) =>
      wordsOfText(
        'x',
        text.split(' ').map((word) => ({ text: word })),
      ),
    'a ',
  ],
])('reader %# takes time in proportion to the text', (read, repeated, before = '', after = '') => {
  const textOf = (length: number) => before + repeated.repeat(length / repeated.length) + after
  expect(growthOf(textOf, read)).toBeLessThan(MOST_GROWTH)
})
