import { expect, test } from 'vitest'
import { fail } from '../errors.ts'
import { untilReachable } from './until-reachable.ts'

const away = () => fail('VID_CLOUD_DATABASE_AWAY', { reason: 'it was killed' })

test('work is repeated until the database is back, and no longer', async () => {
  let tries = 0
  const work = async () => {
    tries += 1
    if (tries < 3) throw away()
    return 'done'
  }
  expect(await untilReachable(work, new AbortController().signal)).toBe('done')
  expect(tries).toBe(3)
})

test('another error is not repeated, and an abort ends the waiting', async () => {
  let tries = 0
  const wrong = async () => {
    tries += 1
    throw new Error('no such column')
  }
  await expect(untilReachable(wrong, new AbortController().signal)).rejects.toThrow('no such column')
  expect(tries).toBe(1)
  const stop = new AbortController()
  const waiting = untilReachable(async () => {
    stop.abort(new Error('enough'))
    throw away()
  }, stop.signal)
  await expect(waiting).rejects.toThrow('enough')
})
