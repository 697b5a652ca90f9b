import { EventEmitter } from 'node:events'
import type { CloudRender } from '@vid/client/contract'
import type PgBoss from 'pg-boss'
import type { Database, Sql } from '../database/database.ts'
import { bossDb, DEAD, openBoss, QUEUE_SCHEMA, RENDERS } from './boss.ts'
import { enterQueue, estimatedCost } from './fairness.ts'
import { type JobData, readJobData } from './jobs.ts'
import { noteWaiting } from './note-waiting.ts'
import { addDue, type TakenRow, takeNext } from './waiting.ts'

/** A job assigned to a worker. */
export interface QueuedJob {
  readonly id: string
  readonly data: JobData
  /** Number of earlier attempts. */
  readonly retries: number
}

/** A job that failed too often. */
export interface DeadJob {
  readonly id: string
  readonly data: JobData | undefined
  /** Why the last attempt failed. */
  readonly output: unknown
}

/** Number of jobs by state. */
export interface QueueDepth {
  readonly waiting: number
  readonly active: number
}

/** An accepted render. */
export interface QueuedRender {
  readonly id: string
  readonly accountId: string
  readonly request: Pick<CloudRender, 'resolution'>
  /** In seconds; null if only the page can determine it. */
  readonly duration: number | null
}

/** The queue of renders, in the same database: its changes are part of the caller's transaction. */
export interface Queue {
  /** Queues an accepted render; call `wake` after the transaction commits. */
  enqueue(sql: Sql, render: QueuedRender): Promise<void>
  enqueueParts(sql: Sql, jobs: readonly JobData[]): Promise<void>
  /**
   * Takes the next job, of the account that goes next; undefined if none is due. A worker gets no video that only others
   * can encode. Only one process takes jobs at a time, until its transaction ends.
   */
  take(sql: Sql, workerId?: string): Promise<QueuedJob | undefined>
  complete(sql: Sql, jobId: string): Promise<void>
  /** Retries jobs later; a job that failed too often fails for good. */
  fail(sql: Sql, jobIds: readonly string[], output: object): Promise<void>
  /** Returns jobs to the queue, at once or after a pause; this does not count as an attempt. */
  giveBack(sql: Sql, jobIds: readonly string[], pauseSeconds?: number): Promise<void>
  takeDead(sql: Sql): Promise<DeadJob[]>
  completeDead(sql: Sql, jobId: string): Promise<void>
  depth(): Promise<QueueDepth>
  /** Notifies the workers of this process of new work. */
  wake(): void
  onWake(listener: () => void): () => void
  /** Statements for the sweep. */
  readonly schema: string
  close(): Promise<void>
}

const MAX_DEAD = 20

/** Assumed duration of a render until its page reports it. */
const UNKNOWN_SECONDS = 10
const PIXELS = { '1080p': 1920 * 1080, '4k': 3840 * 2160 } as const

// Due a second ago: only jobs due before now are fetched, and PGlite's clock counts whole milliseconds.
const DUE_SECONDS = -1
const jobOf = (data: JobData) => ({ name: RENDERS, data, startAfter: String(DUE_SECONDS) })

/** Number of the advisory lock that guards taking jobs; an arbitrary constant. */
const TAKE_LOCK = 7_236_418_253

/** Takes the next job that is due; only one process at a time. */
const takeDue = async (sql: Sql, workerId: string | null): Promise<TakenRow | undefined> => {
  const [state] = await sql.rows<{ waiting: boolean; due: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM vid.waiting_accounts) AS waiting,
       -- By its index: statistics are late while the queue fills, and a search for any would read all waiting jobs.
       COALESCE((SELECT min(start_after) FROM vid.waiting_jobs WHERE NOT is_due) < now(), false) AS due`,
  )
  if (!state?.waiting && !state?.due) return undefined
  // The lock is held until the commit, which need not reach the disk: a worker whose job is lost in a crash loses its
  // lease of it, and another one takes it. A plan that is made while the queue is small is used when it is long.
  await sql.run(
    `SELECT set_config('synchronous_commit', 'off', true), set_config('enable_seqscan', 'off', true),
       set_config('jit', 'off', true),
       set_config('plan_cache_mode', 'force_generic_plan', true), pg_advisory_xact_lock($1)`,
    [TAKE_LOCK],
  )
  if (state.due) await addDue(sql)
  return takeNext(sql, workerId)
}

const GIVE_BACK = `UPDATE ${QUEUE_SCHEMA}.job
  SET state = 'retry', started_on = NULL, start_after = now() + make_interval(secs => $3)
  WHERE name = $1 AND id = ANY($2::uuid[]) AND state = 'active'`

const readDepth = async (database: Database) => {
  const rows = await database.rows<{ state: string; jobs: number }>(
    `SELECT state::text AS state, count(*) AS jobs FROM ${QUEUE_SCHEMA}.job
     WHERE name = $1 AND state <= 'active' GROUP BY state`,
    [RENDERS],
  )
  const of = (states: readonly string[]) =>
    rows.filter(({ state }) => states.includes(state)).reduce((sum, { jobs }) => sum + jobs, 0)
  return { waiting: of(['created', 'retry']), active: of(['active']) }
}

/** Opens the queue; `timeoutMs` is the longest time of a job, set by processes that run jobs. */
export const openQueue = async (
  database: Database,
  options: { readonly timeoutMs?: number; onError(error: unknown): void },
): Promise<Queue> => {
  const boss = await openBoss(database, options)
  await noteWaiting(database)
  const woken = new EventEmitter().setMaxListeners(0)
  return {
    schema: QUEUE_SCHEMA,
    async enqueue(sql, { id, accountId, request, duration }) {
      await enterQueue(sql, accountId, id)
      const cost = estimatedCost(duration ?? UNKNOWN_SECONDS, PIXELS[request.resolution])
      await boss.insert([jobOf({ kind: 'render', renderId: id, cost })], { db: bossDb(sql) })
    },
    async enqueueParts(sql, jobs) {
      await boss.insert(jobs.map(jobOf), { db: bossDb(sql) })
    },
    async take(sql, workerId) {
      for (;;) {
        const row = await takeDue(sql, workerId ?? null)
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
    async giveBack(sql, jobIds, pauseSeconds = DUE_SECONDS) {
      if (jobIds.length === 0) return
      await sql.run(GIVE_BACK, [RENDERS, jobIds, pauseSeconds])
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
    depth: () => readDepth(database),
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
