import { expect, test } from 'vitest'
import { estimateWords } from './estimate-words.ts'

test('each word gets a share by its length, until the next one begins', () => {
  expect(estimateWords('One three', 4.5)).toEqual([
    { text: 'One', start: 0, end: 2 },
    { text: 'three', start: 2, end: 4.5 },
  ])
  expect(estimateWords('今日は晴れ', 5, 'ja').map(({ text }) => text)).toEqual(['今日', 'は', '晴れ'])
})
