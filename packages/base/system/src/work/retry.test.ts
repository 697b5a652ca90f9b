import { expect, test } from 'vitest'
import { backOff, countRetries, type RetryOptions, retry } from '../index.ts'

const anyError = { may: () => true } satisfies RetryOptions

/** Work that fails a number of times. */
const failing = (times: number) => {
  const state = { attempts: 0 }
  return {
    state,
    async work() {
      state.attempts += 1
      if (state.attempts <= times) throw new Error(`failure ${state.attempts}`)
      return 'done'
    },
  }
}

test('work is repeated until it succeeds, with a wait that grows after each failure', async () => {
  const { work, state } = failing(3)
  const failures: [number, string][] = []
  const delays: RetryOptions['delays'] = (count, error) => {
    failures.push([count, (error as Error).message])
    return 0
  }
  const { signal } = new AbortController()
  expect(await retry(work, { ...anyError, delays, signal })).toBe('done')
  expect(state.attempts).toBe(4)
  expect(failures.map(([count]) => count)).toEqual([1, 2, 3])
  expect(failures.map(([, message]) => message)).toEqual(['failure 1', 'failure 2', 'failure 3'])
})

test('an error that stays, and one after the last retry, are thrown', async () => {
  const once = failing(5)
  await expect(retry(once.work, { may: () => false })).rejects.toThrow('failure 1')
  const { work, state } = failing(5)
  const errors: unknown[] = []
  await expect(retry(work, { ...anyError, retries: 2, onRetry: (error) => errors.push(error) })).rejects.toThrow(
    'failure 3',
  )
  expect([once.state.attempts, state.attempts, errors.length]).toEqual([1, 3, 2])
})

test('an abort ends the wait for another attempt with its reason', async () => {
  const stop = new AbortController()
  const { work, state } = failing(5)
  const onRetry = () => queueMicrotask(() => stop.abort(new Error('enough')))
  const waiting = retry(work, { ...anyError, delays: () => 2 ** 30, signal: stop.signal, onRetry })
  await expect(waiting).rejects.toThrow('enough')
  expect(state.attempts).toBe(1)
})

test('no attempt is made that would come too late, and progress begins the count again', async () => {
  const counts: number[] = []
  const retries = countRetries({
    ...anyError,
    withinMs: () => 1000,
    delays: (count) => {
      counts.push(count)
      return count === 3 ? 2000 : 0
    },
  })
  await retries.next(new Error('first'))
  retries.reset()
  await retries.next(new Error('second'))
  await retries.next(new Error('third'))
  await expect(retries.next(new Error('fourth'))).rejects.toThrow('fourth')
  expect(counts).toEqual([1, 1, 2, 3])
  retries.reset()
  await expect(retries.next(new Error('slow'), { beganMs: performance.now() - 1001 })).rejects.toThrow('slow')
})

test('delays double up to a limit, and chance takes at most a half of them', () => {
  const delayOf = backOff({ firstMs: 100, maxMs: 1000 })
  for (const [failures, longest] of [
    [1, 100],
    [2, 200],
    [4, 800],
    [9, 1000],
  ] as const)
    for (let round = 0; round < 100; round += 1) {
      const ms = delayOf(failures)
      expect(ms).toBeGreaterThan(longest / 2 - 1)
      expect(ms).toBeLessThanOrEqual(longest)
    }
})
