import { EventEmitter } from 'node:events'
import type { CloudRender } from '@vid/kernel'
import type PgBoss from 'pg-boss'
import type { Database, Sql } from '../database/database.ts'
import { bossDb, DEAD, openBoss, QUEUE_SCHEMA, RENDERS } from './boss.ts'
import { costOf, enterQueue, IS_DUE, STANDINGS } from './fairness.ts'
import { type JobData, readJobData } from './jobs.ts'

/** A job that a worker was given. */
export interface QueuedJob {
  readonly id: string
  readonly data: JobData
  /** Tries before this one. */
  readonly retries: number
}

/** A job that was tried too often. */
export interface DeadJob {
  readonly id: string
  readonly data: JobData | undefined
  /** Why the last try failed. */
  readonly output: unknown
}

/** Jobs of the queue by state. */
export interface QueueDepth {
  readonly waiting: number
  readonly active: number
}

/** A render that was accepted. */
export interface AcceptedRender {
  readonly id: string
  readonly accountId: string
  readonly request: Pick<CloudRender, 'resolution'>
  /** Seconds; null when only the page knows it. */
  readonly duration: number | null
}

/** The queue of renders, in the same database: its changes belong to the transactions of its callers. */
export interface Queue {
  /** Has an accepted render done; call `wake` once its transaction is done. */
  enqueue(sql: Sql, render: AcceptedRender): Promise<void>
  /** Has nothing more begun for a render; workers find out by themselves that it has ended. */
  cancel(sql: Sql, renderId: string): Promise<void>
  enqueueParts(sql: Sql, jobs: readonly JobData[]): Promise<void>
  /**
   * Takes the next job, of the account that comes next; undefined when none is due. Of several processes, one takes jobs
   * at a time, until its transaction ends.
   */
  take(sql: Sql): Promise<QueuedJob | undefined>
  complete(sql: Sql, jobId: string): Promise<void>
  /** Has a job tried again later, or fail for good when it was tried too often. */
  fail(sql: Sql, jobIds: readonly string[], output: object): Promise<void>
  /** Gives a job back at once; this does not count as a try. */
  giveBack(sql: Sql, jobIds: readonly string[]): Promise<void>
  takeDead(sql: Sql): Promise<DeadJob[]>
  completeDead(sql: Sql, jobId: string): Promise<void>
  depth(): Promise<QueueDepth>
  /** Tells the workers of this process that there is work. */
  wake(): void
  onWake(listener: () => void): () => void
  /** Statements that the sweep needs. */
  readonly schema: string
  close(): Promise<void>
}

const MAX_DEAD = 20

/** Length that is assumed of a render until its page says it. */
const UNKNOWN_SECONDS = 10
const PIXELS = { '1080p': 1920 * 1080, '4k': 3840 * 2160 } as const

// Due a second ago: only jobs due before now are fetched, and the clock of PGlite counts whole milliseconds.
const jobOf = (data: JobData) => ({ name: RENDERS, data, startAfter: '-1' })

/** Number of the lock that only one process holds that takes jobs; any constant. */
const TAKE_LOCK = 7_236_418_253

interface TakenRow {
  readonly id: string
  readonly data: unknown
  readonly retry_count: number
}

/**
 * Takes the next job of an account with less than its share, or of any when there is none: of the one that has used least,
 * its renders in the order of their acceptance. What pg-boss does when it fetches one, in another order.
 */
const takeNext = async (sql: Sql, schema: string): Promise<TakenRow | undefined> => {
  const { rowCount } = await sql.run(`SELECT 1 FROM ${schema}.job AS j WHERE ${IS_DUE} LIMIT 1`)
  if (rowCount === 0) return undefined
  await sql.run('SELECT pg_advisory_xact_lock($1)', [TAKE_LOCK])
  const [row] = await sql.rows<TakenRow>(
    `WITH ${STANDINGS}, next AS (
       SELECT j.id FROM ${schema}.job AS j LEFT JOIN vid.renders AS r ON r.id = j.data ->> 'renderId'
       LEFT JOIN standings AS s ON s.id = r.account_id
       WHERE ${IS_DUE}
       ORDER BY COALESCE(s.jobs >= GREATEST(1, s.share), false), s.used NULLS FIRST,
         r.sequence, (j.data ->> 'number')::int, j.created_on, j.id
       LIMIT 1 FOR UPDATE OF j SKIP LOCKED)
     UPDATE ${schema}.job AS j SET state = 'active', started_on = now(),
       retry_count = CASE WHEN j.started_on IS NULL THEN j.retry_count ELSE j.retry_count + 1 END
     FROM next WHERE j.name = $1 AND j.id = next.id RETURNING j.id, j.data, j.retry_count`,
    [RENDERS],
  )
  return row
}

/** Opens the queue; `timeoutMs` is how long the longest job may take, which processes that do jobs say. */
export const openQueue = async (
  database: Database,
  options: { readonly timeoutMs?: number; onError(error: unknown): void },
): Promise<Queue> => {
  const boss = await openBoss(database, options)
  const schema = QUEUE_SCHEMA
  const woken = new EventEmitter().setMaxListeners(0)
  return {
    schema,
    async enqueue(sql, { id, accountId, request, duration }) {
      await enterQueue(sql, accountId, id)
      const cost = costOf(duration ?? UNKNOWN_SECONDS, PIXELS[request.resolution])
      await boss.insert([jobOf({ kind: 'render', renderId: id, cost })], { db: bossDb(sql) })
    },
    async cancel(sql, renderId) {
      await sql.run(
        // One that is just being taken is done away with by its worker.
        `DELETE FROM ${schema}.job WHERE name = $1 AND id IN (
           SELECT id FROM ${schema}.job WHERE name = $1 AND state < 'active' AND data ->> 'renderId' = $2
           FOR UPDATE SKIP LOCKED)`,
        [RENDERS, renderId],
      )
    },
    async enqueueParts(sql, jobs) {
      await boss.insert(jobs.map(jobOf), { db: bossDb(sql) })
    },
    async take(sql) {
      for (;;) {
        const row = await takeNext(sql, schema)
        if (!row) return undefined
        const data = readJobData(row.data)
        if (data) return { id: row.id, data, retries: row.retry_count }
        await boss.complete(RENDERS, row.id, {}, { db: bossDb(sql) })
      }
    },
    async complete(sql, jobId) {
      await boss.complete(RENDERS, jobId, {}, { db: bossDb(sql) })
    },
    async fail(sql, jobIds, output) {
      for (const id of jobIds) await boss.fail(RENDERS, id, output, { db: bossDb(sql) })
    },
    async giveBack(sql, jobIds) {
      if (jobIds.length === 0) return
      await sql.run(
        `UPDATE ${schema}.job SET state = 'retry', started_on = NULL, start_after = now() - interval '1 second'
         WHERE name = $1 AND id = ANY($2::uuid[]) AND state = 'active'`,
        [RENDERS, jobIds],
      )
    },
    async takeDead(sql) {
      const jobs = (await boss.fetch<unknown>(DEAD, {
        batchSize: MAX_DEAD,
        includeMetadata: true,
        db: bossDb(sql),
      })) as PgBoss.JobWithMetadata<unknown>[]
      return jobs.map(({ id, data, output }) => ({ id, data: readJobData(data), output }))
    },
    async completeDead(sql, jobId) {
      await boss.complete(DEAD, jobId, {}, { db: bossDb(sql) })
    },
    async depth() {
      const rows = await database.rows<{ state: string; jobs: number }>(
        `SELECT state::text AS state, count(*) AS jobs FROM ${schema}.job
         WHERE name = $1 AND state <= 'active' GROUP BY state`,
        [RENDERS],
      )
      const of = (states: readonly string[]) =>
        rows.filter(({ state }) => states.includes(state)).reduce((sum, { jobs }) => sum + jobs, 0)
      return { waiting: of(['created', 'retry']), active: of(['active']) }
    },
    wake: () => void woken.emit('wake'),
    onWake(listener) {
      woken.on('wake', listener)
      return () => void woken.off('wake', listener)
    },
    async close() {
      await boss.stop({ graceful: false, wait: true, close: false })
    },
  }
}
