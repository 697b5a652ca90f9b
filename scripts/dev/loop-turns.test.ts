import { expect, test } from 'vitest'
import { delayOf } from './loop-turns.ts'

/** Work that holds the event loop for some processor time. */
const hold = (ms: number) => async () => {
  const { user, system } = process.cpuUsage()
  for (let used = 0; used < ms; ) {
    const now = process.cpuUsage({ user, system })
    used = (now.user + now.system) / 1000
  }
  return ms
}

test('a text that holds the event loop longer than an ordinary one delays others', async () => {
  const { delayMs, result } = await delayOf(hold(1000), hold(0))
  expect(delayMs).toBeGreaterThan(0)
  expect(result).toBe(1000)
})

test('a machine that is slow for every text delays nobody by one of them', async () => {
  expect((await delayOf(hold(300), hold(300))).delayMs).toBe(0)
})
