import { expect, test } from 'vitest'
import { addAccount, openWork } from '../fixtures/work.ts'
import { advanceClock, costOf, nextTag, partTags, priorityOf, rewindClocks } from './fairness.ts'

test('lower tags have higher priorities, within the numbers that the queue takes', () => {
  const tags = [0, 0.1, 10, 1e6, 1e8]
  const priorities = tags.map(priorityOf)
  expect(priorities).toEqual(priorities.toSorted((a, b) => b - a))
  expect(new Set(priorities).size).toBe(tags.length)
  expect(priorityOf(1e15)).toBe(-(2 ** 31 - 1))
})

test('an account that comes late begins at the clock, and one that waits is behind itself', async () => {
  const { parts } = await openWork()
  const { database } = parts
  const [one, heavy] = [await addAccount(database), await addAccount(database, 4)]
  expect([await nextTag(database, one, 8), await nextTag(database, one, 8)]).toEqual([8, 16])
  expect(await nextTag(database, heavy, 8)).toBe(2)
  await advanceClock(database, 100)
  await advanceClock(database, 50)
  expect(await nextTag(database, heavy, 8)).toBe(102)
  expect(costOf(10, 3840 * 2160)).toBe(40)
})

test('another account goes between the segments of a long render', async () => {
  const { parts } = await openWork()
  const { database, queue } = parts
  const [long, other] = [await addAccount(database), await addAccount(database)]
  const start = await nextTag(database, long, 10)
  const tags = await partTags(database, long, start, Array(20).fill(4))
  expect(tags.slice(0, 3)).toEqual([10, 14, 18])
  await queue.enqueueParts(
    database,
    tags.map((tag, number) => ({ kind: 'segment', renderId: 'long', attempt: 1, number, tag })),
  )
  const take = async () => {
    const [job] = await queue.take(database, 1)
    if (job) await advanceClock(database, job.data.tag)
    return job?.data.renderId
  }
  expect([await take(), await take()]).toEqual(['long', 'long'])
  const tag = await nextTag(database, other, 4)
  await queue.enqueueParts(database, [{ kind: 'render', renderId: 'other', tag }])
  expect([await take(), await take(), await take()]).toContain('other')
  // What the long one has asked for counts for its account's next render.
  expect(await nextTag(database, long, 1)).toBe(91)
})

test('clocks are turned back only while nothing waits or runs', async () => {
  const { parts, submit } = await openWork()
  const { database } = parts
  await advanceClock(database, 1e9)
  const id = await submit()
  await rewindClocks(database)
  const account = await addAccount(database)
  expect(await nextTag(database, account, 1)).toBe(1e9 + 1)
  await database.run(`UPDATE vid.renders SET status = 'failed' WHERE id = $1`, [id])
  await rewindClocks(database)
  expect(await nextTag(database, account, 1)).toBe(1)
})

test('a job and the rows of its transaction are kept together or not at all', async () => {
  const { parts, submit } = await openWork()
  const { database, queue } = parts
  await submit()
  const failing = database.transaction(async (sql) => {
    const [job] = await queue.take(sql, 1)
    if (job) await queue.complete(sql, job.id)
    await queue.enqueueParts(sql, [{ kind: 'render', renderId: 'x', tag: 0 }])
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await queue.depth()).toEqual({ waiting: 1, active: 0 })
})

test('of a render that is cancelled nothing waits any more', async () => {
  const { parts, submit } = await openWork()
  const [gone] = [await submit(), await submit()]
  await parts.queue.cancel(parts.database, gone as string)
  expect(await parts.queue.depth()).toEqual({ waiting: 1, active: 0 })
  const [left] = await parts.queue.take(parts.database, 5)
  expect(left?.data.renderId).not.toBe(gone)
})
