import { expect, test } from 'vitest'
import { placeCues } from './place-cues.ts'

const captions = {
  cues: [
    { start: 0, end: 1, text: 'Before' },
    {
      start: 2,
      end: 4,
      text: 'In it',
      words: [
        { text: 'In', start: 2, end: 2.5 },
        { text: 'it', start: 3, end: 4 },
      ],
    },
    { start: 5, end: 9, text: 'Over its end' },
    { start: 9, end: 10, text: 'After' },
  ],
}

test('cues are moved to the start of their track and cut to its window', () => {
  expect(placeCues(captions, { start: 10, mediaStart: 0, rate: 1, from: 11.5, until: 17 })).toEqual([
    {
      start: 12,
      end: 14,
      text: 'In it',
      words: [
        { text: 'In', start: 12, end: 12.5 },
        { text: 'it', start: 13, end: 14 },
      ],
    },
    { start: 15, end: 17, text: 'Over its end' },
  ])
})

test('cues of a video follow its offset and rate', () => {
  const placed = placeCues(captions, { start: 1, mediaStart: 2, rate: 2, from: 1, until: 100 })
  expect(placed.map(({ text, start, end }) => [text, start, end])).toEqual([
    ['In it', 1, 2],
    ['Over its end', 2.5, 4.5],
    ['After', 4.5, 5],
  ])
})
