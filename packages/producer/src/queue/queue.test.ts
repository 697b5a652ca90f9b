import { expect, test } from 'vitest'
import { createQueue } from './queue.ts'

const settled = () => new Promise(setImmediate)

/** Enters requests by name; tells which have run and what positions each was told. */
const enter = (queue: ReturnType<typeof createQueue>, names: readonly string[]) => {
  const ran: string[] = []
  const told: Record<string, number[]> = {}
  const places = Object.fromEntries(
    names.map((name) => {
      told[name] = []
      const place = queue.enter((position) => told[name]?.push(position))
      place.turn.then(
        () => ran.push(name),
        () => {},
      )
      return [name, place]
    }),
  )
  return { ran, told, place: (name: string) => places[name] as ReturnType<typeof queue.enter> }
}

test('runs as many as there are slots, the oldest first', async () => {
  const queue = createQueue(2)
  const { ran, place } = enter(queue, ['a', 'b', 'c', 'd'])
  await settled()
  expect([ran, queue.active(), queue.waiting()]).toEqual([['a', 'b'], 2, 2])
  place('b').leave()
  await settled()
  expect(ran).toEqual(['a', 'b', 'c'])
  place('a').leave()
  place('c').leave()
  await settled()
  expect([ran, queue.active(), queue.waiting()]).toEqual([['a', 'b', 'c', 'd'], 1, 0])
})

test('tells those that wait how many are ahead, and again when that changes; those that run at once are told nothing', () => {
  const queue = createQueue(1)
  const { told, place } = enter(queue, ['a', 'b', 'c'])
  expect(told).toEqual({ a: [], b: [0], c: [1] })
  place('b').leave()
  expect(told.c).toEqual([1, 0])
  expect(place('c').position()).toBe(0)
  place('a').leave()
  expect([told.c, place('c').position()]).toEqual([[1, 0], undefined])
})

test('leaving twice frees one slot', async () => {
  const queue = createQueue(1)
  const { ran, place } = enter(queue, ['a', 'b', 'c'])
  place('a').leave()
  place('a').leave()
  await settled()
  expect([ran, queue.active()]).toEqual([['a', 'b'], 1])
})

test('is full when all slots are taken and as many wait as may', () => {
  const queue = createQueue(1)
  expect(queue.isFull(0)).toBe(false)
  enter(queue, ['a'])
  expect([queue.isFull(0), queue.isFull(1)]).toEqual([true, false])
})

test('a closed queue refuses those that wait and those that come, with the reason', async () => {
  const queue = createQueue(1)
  const { place } = enter(queue, ['a', 'b'])
  const reason = new Error('stopping')
  queue.close(reason)
  await expect(place('b').turn).rejects.toBe(reason)
  await expect(queue.enter(() => {}).turn).rejects.toBe(reason)
  expect(queue.active()).toBe(1)
})
