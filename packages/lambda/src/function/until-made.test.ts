import { expect, test } from 'vitest'
import { untilMade } from './until-made.ts'

test('a value is made once, and made again after an attempt that failed', async () => {
  let attempts = 0
  const made = untilMade(async () => {
    attempts += 1
    if (attempts === 1) throw new Error('no space is left')
    return attempts
  })
  await expect(Promise.all([made(), made()])).rejects.toThrow('no space is left')
  expect(attempts).toBe(1)
  expect(await Promise.all([made(), made()])).toEqual([2, 2])
  expect(await made()).toBe(2)
})
