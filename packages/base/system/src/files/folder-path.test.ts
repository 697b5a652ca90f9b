import { expect, test } from 'vitest'
import { isWithin } from './folder-path.ts'

test('a folder contains itself and what is below it, also the folder of all', () => {
  expect(['/work', '/work/a', '/work/..a', '/work/a/../b'].map((path) => isWithin(path, '/work'))).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(isWithin('/work', '/')).toBe(true)
})

test('a folder contains neither those above it nor one whose name begins alike', () => {
  expect(['/', '/other', '/workshop', '/work/../other'].map((path) => isWithin(path, '/work'))).toEqual([
    false,
    false,
    false,
    false,
  ])
})
