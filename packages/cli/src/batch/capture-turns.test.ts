import { expect, test } from 'vitest'
import { createTurns, hasRoomToOverlap, noTurn, type Turn } from './capture-turns.ts'

/** Rows that enter one after another; those that must wait for it do so. */
const enterAll = (count: number, turns: ReturnType<typeof createTurns>) => {
  const begun: number[] = []
  const rows: Turn[] = []
  const entering = Array.from({ length: count }, async (_, row) => {
    const turn = await turns.enter(() => begun.push(row))
    if (turn) rows[row] = turn
    return turn
  })
  return { begun, rows, entering }
}

test('so many capture at once, one more gets ready, and the rest wait to enter', async () => {
  const turns = createTurns(2, new AbortController().signal)
  const { begun, rows, entering } = enterAll(5, turns)
  await Promise.all(entering.slice(0, 3))
  expect([begun, rows.length]).toEqual([[0, 1], 3])
  const third = rows[2]?.take()
  rows[1]?.pass()
  await third
  await entering[3]
  expect([begun, rows.length]).toEqual([[0, 1, 2], 4])
  // It had only one turn.
  rows[1]?.pass()
  const fourth = rows[3]?.take()
  rows[0]?.pass()
  await fourth
  await entering[4]
  expect(begun).toEqual([0, 1, 2, 3])
  expect(rows[0]?.waitedMs()).toBe(0)
  expect(rows[3]?.waitedMs()).toBeGreaterThan(0)
})

test('a row whose frames are all taken lets the next capture, and keeps its page', async () => {
  const turns = createTurns(1, new AbortController().signal)
  const { begun, rows, entering } = enterAll(3, turns)
  await Promise.all(entering.slice(0, 2))
  const second = rows[1]?.take()
  rows[0]?.captured()
  await second
  expect([begun, rows.length]).toEqual([[0, 1], 2])
  // Its next output has to wait for a turn again.
  const again = rows[0]?.take()
  rows[1]?.pass()
  await Promise.all([again, entering[2]])
  rows[0]?.pass()
  await rows[2]?.take()
  expect(begun).toEqual([0, 1, 2])
})

test('rows are captured beside others that are encoded where memory holds both', () => {
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

test('a row that enters while another gets ready does not take its turn', async () => {
  const turns = createTurns(1, new AbortController().signal)
  const { begun, rows, entering } = enterAll(3, turns)
  await Promise.all(entering.slice(0, 2))
  rows[0]?.pass()
  await entering[2]
  expect(begun).toEqual([0])
  await rows[1]?.take()
  expect(begun).toEqual([0, 1])
})

test('once it is closed, only rows that have begun get another turn', async () => {
  const turns = createTurns(1, new AbortController().signal)
  const { begun, rows, entering } = enterAll(4, turns)
  await Promise.all(entering.slice(0, 2))
  const second = rows[1]?.take()
  rows[0]?.pass()
  await second
  await entering[2]
  const third = rows[2]?.take()
  const again = rows[0]?.take()
  turns.close()
  await expect(third).rejects.toBe(noTurn)
  expect(await entering[3]).toBeUndefined()
  expect(await turns.enter(() => begun.push(9))).toBeUndefined()
  rows[1]?.pass()
  await again
  await expect(rows[2]?.take()).rejects.toBe(noTurn)
  expect(begun).toEqual([0, 1])
})

test('a row that failed before its turn leaves its place to the next', async () => {
  const turns = createTurns(1, new AbortController().signal)
  const { begun, rows, entering } = enterAll(3, turns)
  await Promise.all(entering.slice(0, 2))
  rows[1]?.begin()
  rows[1]?.pass()
  await entering[2]
  const third = rows[2]?.take()
  rows[0]?.pass()
  await third
  expect(begun).toEqual([0, 1, 2])
})

test('a stop ends all waiting, and nobody begins after it', async () => {
  const stop = new AbortController()
  const turns = createTurns(1, stop.signal)
  const { begun, rows, entering } = enterAll(3, turns)
  await Promise.all(entering.slice(0, 2))
  const second = rows[1]?.take()
  stop.abort(new Error('stopped'))
  await expect(second).rejects.toThrow('stopped')
  expect(await entering[2]).toBeUndefined()
  rows[0]?.pass()
  expect(await turns.enter(() => begun.push(9))).toBeUndefined()
  expect(begun).toEqual([0])
})
