import { expect, test } from 'vitest'
import { createEventQueue } from './event-queue.ts'
import { seededRandom } from './random.ts'

test('events come in the order of their times, and those of one time in the order of adding', () => {
  const queue = createEventQueue()
  const random = seededRandom(7)
  const added = Array.from({ length: 2000 }, (_, event) => ({ time: Math.floor(random() * 300), event }))
  const results: { time: number; event: number }[] = []
  const take = () => {
    const next = queue.take()
    if (next) results.push({ time: next.time, event: next.event })
  }
  // The first half is added, a part of it taken, and then the rest, which is later than what was taken.
  for (const { time, event } of added.slice(0, 1000)) queue.add(time, event)
  for (let count = 0; count < 500; count += 1) take()
  const rest = added.slice(1000).map(({ time, event }) => ({ time: time + 300, event }))
  for (const { time, event } of rest) queue.add(time, event)
  for (let count = 0; count < 1501; count += 1) take()
  const all = [...added.slice(0, 1000), ...rest]
  expect(results).toEqual(all.sort((a, b) => a.time - b.time || a.event - b.event))
})
