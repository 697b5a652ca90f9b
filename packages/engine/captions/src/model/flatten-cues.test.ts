import { expect, test } from 'vitest'
import { flattenCues } from './flatten-cues.ts'

test('cues that overlap become cues that follow each other, with the texts that are shown together', () => {
  const cues = [
    { start: 0, end: 4, text: 'a' },
    { start: 1, end: 2, text: 'b' },
    { start: 1, end: 3, text: 'c' },
    { start: 3, end: 4, text: '' },
    { start: 6, end: 7, text: 'd' },
    { start: 7, end: 8, text: 'd' },
  ]
  expect(flattenCues(cues)).toEqual([
    { start: 0, end: 1, text: 'a' },
    { start: 1, end: 2, text: 'a\nb\nc' },
    { start: 2, end: 3, text: 'a\nc' },
    { start: 3, end: 4, text: 'a' },
    { start: 6, end: 8, text: 'd' },
  ])
})
