import { expect, test } from 'vitest'
import { createBackground } from './background.ts'

const { signal } = new AbortController()

/** Work that a test ends, or that is stopped. */
const createWork = () => {
  const starts: (() => void)[] = []
  let count = 0
  let finish = (_: string) => {}
  return {
    count: () => count,
    /** Resolves when it has begun so many times. */
    begun: (times: number) =>
      new Promise<void>((resolve) => {
        const check = () => count >= times && resolve()
        starts.push(check)
        check()
      }),
    finish: (result: string) => finish(result),
    work: (stop: AbortSignal) =>
      new Promise<string>((resolve, reject) => {
        count += 1
        finish = resolve
        stop.addEventListener('abort', () => reject(stop.reason), { once: true })
        for (const check of starts) check()
      }),
  }
}

test('work is stopped for what somebody waits for, and begins again after it', async () => {
  const background = createBackground()
  const { work, begun, finish, count } = createWork()
  const result = background.run(work, signal)
  await begun(1)
  let over = () => {}
  const waited = background.first(() => new Promise<void>((resolve) => (over = resolve)))
  const other = background.first(async () => 'frame')
  expect(await other).toBe('frame')
  expect(count()).toBe(1)
  over()
  await waited
  await begun(2)
  finish('found')
  expect(await result).toBe('found')
  expect(count()).toBe(2)
})

test('one work runs at a time, and one whose client has left makes room for the next', async () => {
  const background = createBackground()
  const first = createWork()
  const second = createWork()
  const client = new AbortController()
  const left = background.run(first.work, client.signal)
  await first.begun(1)
  const next = background.run(second.work, signal)
  expect(second.count()).toBe(0)
  client.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  await second.begun(1)
  second.finish('done')
  expect(await next).toBe('done')
})

test('a client that leaves while something else is captured is not kept waiting, and failures are its own', async () => {
  const background = createBackground()
  const { work, count } = createWork()
  let over = () => {}
  const waited = background.first(() => new Promise<void>((resolve) => (over = resolve)))
  const client = new AbortController()
  const left = background.run(work, client.signal)
  client.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  expect(count()).toBe(0)
  over()
  await waited
  await expect(background.run(() => Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken')
})
