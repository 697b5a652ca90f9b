import { expect, test } from 'vitest'
import { type AcquireOptions, createSemaphore, type Release, type Semaphore } from '../index.ts'

const settled = () => new Promise(setImmediate)

/** Acquires slots by name; records which were acquired and the positions of each. */
const acquireAll = (semaphore: Semaphore, options: Readonly<Record<string, AcquireOptions>>) => {
  const started: string[] = []
  const positions: Record<string, number[]> = {}
  const slots: Record<string, Promise<Release>> = {}
  for (const [name, acquireOptions] of Object.entries(options)) {
    const reported: number[] = []
    positions[name] = reported
    const slot = semaphore.acquire({ ...acquireOptions, onPosition: (position) => reported.push(position) })
    slot.then(
      () => started.push(name),
      () => {},
    )
    slots[name] = slot
  }
  const release = async (name: string) => (await slots[name])?.()
  return { started, positions, slots, release }
}

test('as many work as there are slots, and the first that waits is the next', async () => {
  const semaphore = createSemaphore(2)
  const { started, release } = acquireAll(semaphore, { a: {}, b: {}, c: {}, d: {} })
  await settled()
  expect([started, semaphore.active(), semaphore.waiting(), semaphore.isFull()]).toEqual([['a', 'b'], 2, 2, true])
  await release('b')
  await settled()
  expect(started).toEqual(['a', 'b', 'c'])
  await release('a')
  await release('c')
  await settled()
  expect([started, semaphore.active(), semaphore.waiting()]).toEqual([['a', 'b', 'c', 'd'], 1, 0])
  expect([semaphore.tryAcquire() !== undefined, semaphore.tryAcquire()]).toEqual([true, undefined])
})

test('waiters hear how many are ahead, and again when that changes; those that start at once hear nothing', async () => {
  const semaphore = createSemaphore(1)
  const leaving = new AbortController()
  const { positions, slots, release } = acquireAll(semaphore, { a: {}, b: { signal: leaving.signal }, c: {} })
  expect(positions).toEqual({ a: [], b: [0], c: [1] })
  leaving.abort(new Error('left'))
  await expect(slots.b).rejects.toThrow('left')
  expect(positions.c).toEqual([1, 0])
  await release('a')
  await settled()
  expect([positions.c, semaphore.waiting()]).toEqual([[1, 0], 0])
})

test('a slot that is released twice frees one', async () => {
  const semaphore = createSemaphore(1)
  const { started, release } = acquireAll(semaphore, { a: {}, b: {}, c: {} })
  await release('a')
  await release('a')
  await settled()
  expect([started, semaphore.active()]).toEqual([['a', 'b'], 1])
})

test('an abort that comes before the request, or after the slot, takes no slot from others', async () => {
  const semaphore = createSemaphore(1)
  await expect(semaphore.acquire({ signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone')
  const leaving = new AbortController()
  const { started, release } = acquireAll(semaphore, { a: {}, b: { signal: leaving.signal }, c: {} })
  await release('a')
  leaving.abort()
  await settled()
  expect([started, semaphore.active(), semaphore.waiting()]).toEqual([['a', 'b'], 1, 1])
})

test('waiters can be refused, but for those that are entitled to a slot', async () => {
  const semaphore = createSemaphore(1)
  const { started, slots, release } = acquireAll(semaphore, { a: {}, b: {}, c: { isEntitled: () => true } })
  semaphore.refuseWaiters(new Error('stopping'))
  await expect(slots.b).rejects.toThrow('stopping')
  await release('a')
  await settled()
  expect(started).toEqual(['a', 'c'])
})

test('work in a slot frees it also when it fails', async () => {
  const semaphore = createSemaphore(1)
  await expect(semaphore.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await semaphore.run(async () => semaphore.active())).toBe(1)
  expect(semaphore.active()).toBe(0)
})
