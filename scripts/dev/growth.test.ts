import { expect, test } from 'vitest'
import { growthOf, MOST_GROWTH } from './growth.ts'

const textOf = (length: number) => 'a'.repeat(length)

const compare = (text: string, times: number) => {
  let equal = 0
  for (let round = 0; round < times; round += 1)
    for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) === round) equal += 1
  return equal
}

test('a reader that reads each character a fixed number of times is linear', () => {
  expect(growthOf(textOf, (text) => void compare(text, 50))).toBeLessThan(MOST_GROWTH)
})

test('a reader that reads the whole text for each character is not', () => {
  expect(growthOf(textOf, (text) => void compare(text, text.length))).toBeGreaterThan(MOST_GROWTH)
})

test('what is too fast to be measured does not grow', () => {
  expect(growthOf(textOf, () => undefined)).toBe(1)
})
