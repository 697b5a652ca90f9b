import { expect, test } from 'vitest'
import { planChapters } from './plan-chapters.ts'

const USES = [
  { title: 'Third', start: 6 },
  { title: 'First', start: 1 },
  { title: 'Second', start: 4 },
  { title: 'Also second', start: 4 },
]

test('a chapter lasts until the next one, the first begins with the composition, and the last ends with it', () => {
  expect(planChapters(USES, { start: 0, end: 10 })).toEqual([
    { title: 'First', start: 0, end: 4 },
    { title: 'Second', start: 4, end: 6 },
    { title: 'Third', start: 6, end: 10 },
  ])
})

test('a part begins with the chapter that has begun, and leaves out what is not in it', () => {
  expect(planChapters(USES, { start: 5, end: 6 })).toEqual([{ title: 'Second', start: 0, end: 1 }])
  expect(planChapters(USES, { start: 4, end: 8.1 })).toEqual([
    { title: 'Second', start: 0, end: 2 },
    { title: 'Third', start: 2, end: 4.1 },
  ])
  expect(planChapters(USES, { start: 0.5, end: 1.2 })).toEqual([{ title: 'First', start: 0, end: 0.7 }])
  expect(planChapters(USES, { start: 0, end: 1 })).toEqual([])
})
