import { expect, test } from 'vitest'
import { createRecentMap, recentWork } from './recent.ts'

test('a full map drops the value that was not used for the longest time', () => {
  const dropped: number[] = []
  const map = createRecentMap<string, number>(2, (value) => dropped.push(value))
  map.set('a', 1)
  map.set('b', 2)
  expect(map.get('a')).toBe(1)
  map.set('c', 3)
  expect(dropped).toEqual([2])
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3])
  map.set('a', 4)
  map.set('d', 5)
  expect(dropped).toEqual([2, 3])
  expect(map.keys()).toEqual(['a', 'd'])
  map.delete('a', 1)
  expect(map.get('a')).toBe(4)
  map.delete('a')
  expect(map.keys()).toEqual(['d'])
})

test('work is done once for all who ask, and again after a failure or when it was dropped', async () => {
  const works = createRecentMap<string, Promise<number>>(2)
  let count = 0
  const ask = (key: string) => recentWork(works, key, async () => ++count)
  expect(await Promise.all([ask('a'), ask('a')])).toEqual([1, 1])
  await expect(recentWork(works, 'b', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await ask('b')).toBe(2)
  await ask('c')
  expect(await ask('a')).toBe(4)
})

test('a failure forgets its own work only, not what has replaced it', async () => {
  const works = createRecentMap<string, Promise<number>>(2)
  let fail = () => {}
  const first = recentWork(
    works,
    'a',
    () => new Promise<number>((_, reject) => (fail = () => reject(new Error('late')))),
  )
  works.set('a', Promise.resolve(2))
  fail()
  await expect(first).rejects.toThrow('late')
  expect(await works.get('a')).toBe(2)
})
