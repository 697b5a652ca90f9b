import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createHelpedSegments } from './helped-segments.ts'

test('a worker helps the segment with the most frames left, then the others, each once', async () => {
  const helped = createHelpedSegments()
  const order: number[] = []
  const left = new Map([
    [0, 10],
    [1, 80],
    [2, 40],
  ])
  for (const index of left.keys()) {
    helped.start(index)
    helped.offer(index, async () => void order.push(index))
  }
  await helped.help((index) => left.get(index) ?? 0)
  expect(order).toEqual([1, 2, 0])
})

test('a worker waits for a segment whose page is not open yet, and for none that has ended', async () => {
  const helped = createHelpedSegments()
  let isOver = false
  let calls = 0
  helped.start(0)
  helped.start(1)
  expect(helped.isOpen()).toBe(false)
  const helping = helped
    .help(() => 1)
    .then(() => {
      isOver = true
    })
  await nextTurn()
  expect(isOver).toBe(false)
  helped.offer(0, async () => {
    calls += 1
  })
  expect(helped.isOpen()).toBe(true)
  await nextTurn()
  expect([isOver, calls]).toEqual([false, 1])
  helped.end(1)
  await helping
  expect(calls).toBe(1)
  helped.end(0)
  expect(helped.isOpen()).toBe(false)
  await helped.help(() => 1)
})

test('a segment that is captured again is helped again', async () => {
  const helped = createHelpedSegments()
  let attempts = 0
  const help = async () => {
    attempts += 1
    if (attempts > 1) return
    helped.start(0)
    helped.offer(0, help)
  }
  helped.start(0)
  helped.offer(0, help)
  await helped.help(() => 1)
  expect(attempts).toBe(2)
})
