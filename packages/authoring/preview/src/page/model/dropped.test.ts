import { expect, test } from 'vitest'
import { placeDropped } from './dropped.ts'

const file = (upload: string, kind: 'video' | 'image', duration: number | null) => ({
  upload,
  name: '',
  kind,
  duration,
})

test('files that are dropped together come one after the other, cut at the end of the composition', () => {
  const files = [file('a', 'video', 2.4), file('b', 'image', null), file('c', 'video', 9)]
  expect(placeDropped(files, 1.5, 8)).toEqual([
    { import: 'a', kind: 'video', start: 1.5, duration: 2.4 },
    { import: 'b', kind: 'image', start: 3.9, duration: 3 },
    { import: 'c', kind: 'video', start: 6.9, duration: 1.1 },
  ])
})

test('a file after the end keeps its length', () => {
  expect(placeDropped([file('a', 'video', 2)], 4, 4)).toEqual([{ import: 'a', kind: 'video', start: 4, duration: 2 }])
})
