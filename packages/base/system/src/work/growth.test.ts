import { expect, test } from 'vitest'
import { createGrowth } from '../index.ts'

test('all that wait go on when what they wait for is reached, and not before', async () => {
  const growth = createGrowth()
  let size = 0
  const reached: string[] = []
  const small = growth.until(() => size >= 1).then(() => reached.push('small'))
  const large = growth.until(() => size >= 2).then(() => reached.push('large'))
  size = 1
  growth.grow()
  await small
  expect(reached).toEqual(['small'])
  size = 2
  growth.grow()
  await large
  expect(reached).toEqual(['small', 'large'])
})

test('nothing is waited for after the end', async () => {
  const growth = createGrowth()
  const before = growth.until(() => false)
  growth.endWith(Promise.resolve())
  await before
  await growth.until(() => false)
})

test('work that fails fails all that wait, also for what was reached', async () => {
  const growth = createGrowth()
  const before = growth.until(() => false)
  growth.endWith(Promise.reject(new Error('the disk is full')))
  await expect(before).rejects.toThrow('the disk is full')
  await expect(growth.until(() => true)).rejects.toThrow('the disk is full')
})
