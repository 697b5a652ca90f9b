import { expect, test } from 'vitest'
import { type CaptureSlot, createCaptureSlots, hasRoomToOverlap, slotsClosed } from './capture-slots.ts'

/** Rows that enter one after another, each waiting for its turn if it must. */
const enterAll = (count: number, slots: ReturnType<typeof createCaptureSlots>) => {
  const started: number[] = []
  const rows: CaptureSlot[] = []
  const entering = Array.from({ length: count }, async (_, row) => {
    const slot = await slots.enter(() => started.push(row))
    if (slot) rows[row] = slot
    return slot
  })
  return { started, rows, entering }
}

test('up to the limit capture at once, one more prepares, and the rest wait to enter', async () => {
  const slots = createCaptureSlots(2, new AbortController().signal)
  const { started, rows, entering } = enterAll(5, slots)
  await Promise.all(entering.slice(0, 3))
  expect([started, rows.length]).toEqual([[0, 1], 3])
  const third = rows[2]?.acquire()
  rows[1]?.release()
  await third
  await entering[3]
  expect([started, rows.length]).toEqual([[0, 1, 2], 4])
  // It had only one slot.
  rows[1]?.release()
  const fourth = rows[3]?.acquire()
  rows[0]?.release()
  await fourth
  await entering[4]
  expect(started).toEqual([0, 1, 2, 3])
  expect(rows[0]?.waitedMs()).toBe(0)
  expect(rows[3]?.waitedMs()).toBeGreaterThan(0)
})

test('a row whose frames are all captured lets the next one capture, and keeps its page', async () => {
  const slots = createCaptureSlots(1, new AbortController().signal)
  const { started, rows, entering } = enterAll(3, slots)
  await Promise.all(entering.slice(0, 2))
  const second = rows[1]?.acquire()
  rows[0]?.captured()
  await second
  expect([started, rows.length]).toEqual([[0, 1], 2])
  // Its next output has to wait for a slot again.
  const again = rows[0]?.acquire()
  rows[1]?.release()
  await Promise.all([again, entering[2]])
  rows[0]?.release()
  await rows[2]?.acquire()
  expect(started).toEqual([0, 1, 2])
})

test('rows are captured while others are encoded if there is memory for both', () => {
  const room = ([rows, gib]: readonly [number, number]) => hasRoomToOverlap(rows, gib * 2 ** 30)
  expect(
    (
      [
        [1, 2],
        [1, 4],
        [2, 4],
        [2, 8],
      ] as const
    ).map(room),
  ).toEqual([false, true, false, true])
})

test('a row that enters while another prepares does not take its slot', async () => {
  const slots = createCaptureSlots(1, new AbortController().signal)
  const { started, rows, entering } = enterAll(3, slots)
  await Promise.all(entering.slice(0, 2))
  rows[0]?.release()
  await entering[2]
  expect(started).toEqual([0])
  await rows[1]?.acquire()
  expect(started).toEqual([0, 1])
})

test('after closing, only rows that have started get another slot', async () => {
  const slots = createCaptureSlots(1, new AbortController().signal)
  const { started, rows, entering } = enterAll(4, slots)
  await Promise.all(entering.slice(0, 2))
  const second = rows[1]?.acquire()
  rows[0]?.release()
  await second
  await entering[2]
  const third = rows[2]?.acquire()
  const again = rows[0]?.acquire()
  slots.close()
  await expect(third).rejects.toBe(slotsClosed)
  expect(await entering[3]).toBeUndefined()
  expect(await slots.enter(() => started.push(9))).toBeUndefined()
  rows[1]?.release()
  await again
  await expect(rows[2]?.acquire()).rejects.toBe(slotsClosed)
  expect(started).toEqual([0, 1])
})

test('a row that fails before its slot makes room for the next', async () => {
  const slots = createCaptureSlots(1, new AbortController().signal)
  const { started, rows, entering } = enterAll(3, slots)
  await Promise.all(entering.slice(0, 2))
  rows[1]?.start()
  rows[1]?.release()
  await entering[2]
  const third = rows[2]?.acquire()
  rows[0]?.release()
  await third
  expect(started).toEqual([0, 1, 2])
})

test('an abort ends all waiting, and no row starts after it', async () => {
  const stop = new AbortController()
  const slots = createCaptureSlots(1, stop.signal)
  const { started, rows, entering } = enterAll(3, slots)
  await Promise.all(entering.slice(0, 2))
  const second = rows[1]?.acquire()
  stop.abort(new Error('stopped'))
  await expect(second).rejects.toThrow('stopped')
  expect(await entering[2]).toBeUndefined()
  rows[0]?.release()
  expect(await slots.enter(() => started.push(9))).toBeUndefined()
  expect(started).toEqual([0])
})
