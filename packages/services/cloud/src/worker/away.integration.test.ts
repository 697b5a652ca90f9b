import { expect, test } from 'vitest'
import type { Database } from '../database/database.ts'
import { fail } from '../errors.ts'
import { openWork, page, until } from '../fixtures/work.ts'

/** A database that can be away, also just after it has carried out a transaction. */
const switchable = (database: Database) => {
  const state = { isAway: false, losesReplies: 0 }
  const check = () => {
    if (state.isAway) throw fail('VID_CLOUD_DATABASE_AWAY', { reason: 'it was killed' })
  }
  const watched: Database = {
    ...database,
    async run(...call) {
      check()
      return database.run(...call)
    },
    async rows(...call) {
      check()
      return database.rows(...call)
    },
    async transaction(work) {
      check()
      const result = await database.transaction(work)
      if (state.losesReplies > 0) {
        state.losesReplies -= 1
        throw fail('VID_CLOUD_DATABASE_AWAY', { reason: 'the reply was lost' })
      }
      return result
    },
  }
  return { state, watched }
}

test('while the database is away, a render goes on, and its end is recorded when it is back', async () => {
  const { parts, submit, work, end, ended } = await openWork({ 'index.html': page(6) })
  const { state, watched } = switchable(parts.database)
  let isRendered = false
  const renderer = {
    ...parts.renderer,
    async render(...call: Parameters<typeof parts.renderer.render>) {
      state.isAway = true
      const outcome = await parts.renderer.render(...call)
      isRendered = true
      return outcome
    },
  }
  const id = await submit()
  await work({ slots: 1, spreadSegments: 100, database: watched, renderer })
  await until(async () => (isRendered ? true : undefined))
  expect(await parts.database.rows('SELECT status FROM vid.renders')).toEqual([{ status: 'rendering' }])
  state.isAway = false
  expect(await end(id)).toMatchObject({ status: 'completed', duration: 0.2 })
  expect(ended).toHaveLength(1)
})

test('transactions whose replies are lost are neither repeated nor forgotten', async () => {
  const { parts, submit, work, end, ended } = await openWork({ 'index.html': page(12) })
  const { state, watched } = switchable(parts.database)
  const id = await submit()
  await work({ slots: 1, spreadSegments: 0, database: watched })
  // The plan, the segments and the joining each end in a transaction.
  for (const kind of ['segment', 'join']) {
    await until(async () => {
      const rows = await parts.database.rows('SELECT 1 FROM vid.worker_jobs WHERE kind = $1', [kind])
      return rows.length > 0 ? true : undefined
    })
    state.losesReplies = 1
  }
  expect(await end(id)).toMatchObject({ status: 'completed', attempt: 1, segments: 3 })
  expect(ended).toHaveLength(1)
  await until(async () => {
    const { waiting, active } = await parts.queue.depth()
    return waiting + active === 0 ? true : undefined
  })
})
