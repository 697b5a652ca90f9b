import { expect, test } from 'vitest'
import { orAborted, withDeadline } from './deadline.ts'

const never = new Promise<never>(() => undefined)

test('work that never settles ends with the reason of the abort', async () => {
  const stop = new AbortController()
  const waiting = orAborted(never, stop.signal)
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  await expect(orAborted(Promise.resolve(1), stop.signal)).rejects.toThrow('stopped')
})

test('work that settles in time is passed on, and work that does not is explained', async () => {
  const late = async () => new Error('too late')
  await expect(withDeadline(Promise.resolve('done'), 1_000, late)).resolves.toBe('done')
  await expect(withDeadline(Promise.reject(new Error('own')), 1_000, late)).rejects.toThrow('own')
  await expect(withDeadline(never, 1, late)).rejects.toThrow('too late')
})
