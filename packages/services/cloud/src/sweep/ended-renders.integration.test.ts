import { expect, test } from 'vitest'
import { changeAccount } from '../accounts/accounts.ts'
import { addAccount, openWork } from '../fixtures/work.ts'
import { publish, unpublish } from '../publish/publications.ts'
import { readUsage } from '../renders/usage.ts'
import { addStream } from '../streams/stream-records.ts'
import { endResults, sumUsage, tidyEnded } from './ended-renders.ts'
import { sweep } from './sweep.ts'

const DAY_MS = 86_400_000

/** A server whose renders have ended some days ago. */
const openEnded = async () => {
  const server = await openWork()
  const { database } = server.parts
  const ended = async (account: string, days: number, status: 'completed' | 'failed' = 'completed') => {
    const id = await server.submit({}, account)
    await database.run(
      `UPDATE vid.renders SET status = $2, completed_at = now() - make_interval(days => $3), attempt = 2,
         stream_attempt = 2 WHERE id = $1`,
      [id, status, days],
    )
    return id
  }
  const kept = async () =>
    (await database.rows<{ id: string }>('SELECT id FROM vid.renders WHERE deleted_at IS NULL ORDER BY sequence')).map(
      ({ id }) => id,
    )
  return { ...server, database, ended, kept }
}

test('what a render has left of its work goes a day after its end; the video that plays stays', async () => {
  const { database, ended } = await openEnded()
  const account = await addAccount(database)
  const lately = await ended(account, 0)
  const completed = await ended(account, 2)
  const failed = await ended(account, 2, 'failed')
  for (const renderId of [lately, completed, failed])
    for (const attempt of [1, 2]) {
      await addStream(database, { renderId, attempt })
      await database.run('INSERT INTO vid.render_segments (render_id, attempt, number, frames) VALUES ($1, $2, 0, 9)', [
        renderId,
        attempt,
      ])
    }
  expect(await tidyEnded(database, { orphanAfterMs: DAY_MS })).toBe(2)
  expect(await tidyEnded(database, { orphanAfterMs: DAY_MS })).toBe(0)
  const left = async (table: string) =>
    (await database.rows(`SELECT render_id, attempt FROM vid.${table} ORDER BY render_id, attempt`)).length
  expect([await left('render_segments'), await left('streams')]).toEqual([2, 3])
  expect(await database.rows('SELECT attempt FROM vid.streams WHERE render_id = $1', [completed])).toEqual([
    { attempt: 2 },
  ])
  const [row] = await database.rows('SELECT stream_attempt FROM vid.renders WHERE id = $1', [failed])
  expect(row).toEqual({ stream_attempt: null })
})

test('usage is summed by month, and an account sees the same before and after', async () => {
  const { database } = await openEnded()
  const accounts = [await addAccount(database), await addAccount(database)]
  for (const [index, account] of accounts.entries())
    await database.run(
      `INSERT INTO vid.usage (render_id, account_id, ended_at, rendered_seconds, billed_seconds)
       SELECT $1 || n, $1, CASE WHEN n % 2 = 0 THEN '2026-10-31T23:59:59Z' ELSE '2026-11-01T00:00:00Z' END::timestamptz,
         $2, 2 FROM generate_series(1, 700) AS n`,
      [account, index + 1],
    )
  await database.run(
    `INSERT INTO vid.usage (render_id, account_id, ended_at, rendered_seconds, billed_seconds)
     VALUES ('late', $1, '2999-01-01T00:00:00Z', 5, 7)`,
    [accounts[1]],
  )
  const seen = () =>
    Promise.all(
      accounts.flatMap((account) =>
        ['2026-10-05', '2026-11-30', '2999-01-15'].map(async (day) => {
          const { renderedSeconds, billedSeconds } = await readUsage(database, account, new Date(day))
          return [renderedSeconds, billedSeconds]
        }),
      ),
    )
  const before = await seen()
  expect(before).toEqual([
    [350, 700],
    [350, 700],
    [0, 0],
    [700, 700],
    [700, 700],
    [5, 7],
  ])
  await database.run(`UPDATE vid.usage SET ended_at = ended_at - interval '1 year' WHERE render_id <> 'late'`)
  const shifted = await sumUsage(database, 0)
  expect([shifted, await sumUsage(database, 0)]).toEqual([1400, 0])
  await database.run(`UPDATE vid.usage_months SET month = (month + interval '1 year')::date`)
  expect(await seen()).toEqual(before)
  expect(await database.rows('SELECT render_id FROM vid.usage')).toEqual([{ render_id: 'late' }])
  expect(await database.rows('SELECT 1 FROM vid.usage_months')).toHaveLength(4)
})

test('results end after the time of the server, or of their account; those with a page stay', async () => {
  const { parts, database, ended, kept, submit } = await openEnded()
  const usual = await addAccount(database)
  const brief = await addAccount(database)
  await changeAccount(database, brief, { resultTtlSeconds: 3600 })
  const open = await submit({}, usual)
  const old = await ended(usual, 31)
  const shown = await ended(usual, 31)
  const { publication_id: page } = await publish(database, usual, { render_id: shown, public: false }, '')
  const young = await ended(usual, 29)
  const ofBrief = await ended(brief, 1)
  const several = await ended(usual, 40)
  const video = await ended(usual, 40)
  await database.run('UPDATE vid.renders SET shapes = 1 WHERE id = $1', [several])
  await database.run('UPDATE vid.renders SET parent_id = $2 WHERE id = $1', [video, several])
  expect(await endResults(database, { resultTtlMs: null })).toBe(1)
  expect(await kept()).toEqual([open, old, shown, young, several, video])
  expect(ofBrief).toMatch(/^render_/)
  expect(await endResults(database, { resultTtlMs: 30 * DAY_MS })).toBe(2)
  expect(await kept()).toEqual([open, shown, young])
  await unpublish(database, usual, page)
  expect(await sweep(parts, { resultTtlMs: 30 * DAY_MS, purgeAfterMs: 0 })).toMatchObject({ results: 1 })
  expect(await kept()).toEqual([open, young])
})
