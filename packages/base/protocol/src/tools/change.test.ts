import { expect, test } from 'vitest'
import { createChange } from './change.ts'

test('a change has all go on who wait for it, and none who waits later', async () => {
  const change = createChange()
  change.note()
  const heard: string[] = []
  const waits = ['a', 'b'].map((name) => change.wait().then(() => heard.push(name)))
  await Promise.resolve()
  expect(heard).toEqual([])
  change.note()
  const later = change.wait().then(() => heard.push('later'))
  await Promise.all(waits)
  expect(heard).toEqual(['a', 'b'])
  change.note()
  await later
  expect(heard).toEqual(['a', 'b', 'later'])
})
