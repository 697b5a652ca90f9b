import { expect, test } from 'vitest'
import { memoizeAsync } from './memoize-async.ts'

test('a value is made once, and made again after an attempt that failed', async () => {
  let attempts = 0
  const open = memoizeAsync(async () => {
    attempts += 1
    if (attempts === 1) throw new Error('no space is left')
    return attempts
  })
  await expect(Promise.all([open(), open()])).rejects.toThrow('no space is left')
  expect(attempts).toBe(1)
  expect(await Promise.all([open(), open()])).toEqual([2, 2])
  expect(await open()).toBe(2)
})
