import type { Warning } from '@vid/protocol'
import type { Sql } from '../database/database.ts'
import { untilReachable } from '../database/until-reachable.ts'
import { fail } from '../errors.ts'
import { releaseJobs } from '../queue/fairness.ts'
import type { QueuedJob } from '../queue/queue.ts'
import type { RenderRow } from '../queue/render-row.ts'
import type { WorkParts } from './parts.ts'

/** A job leased by this worker. */
export interface HeldJob {
  readonly job: QueuedJob
  /** The row of the render when the job was taken. */
  readonly render: RenderRow
  readonly workerId: string
  /** Aborts the job; the cause of its reason is an error. */
  readonly stop: AbortController
  /** Frames rendered so far, and whether that was recorded. */
  frames: number
  totalFrames: number
  isReported: boolean
  /** Whether its work is done and is being recorded. */
  isFinishing: boolean
}

/** What a job runs with. */
export interface JobRun {
  readonly workerId: string
  readonly job: QueuedJob
  readonly render: RenderRow
  readonly signal: AbortSignal
  /** Absolute folder of this job, removed after it. */
  readonly workDir: string
  progress(framesRendered: number, totalFrames: number): void
  /** Ends the job in one transaction with other statements; refused if another worker has it. */
  finish(work: (sql: Sql) => Promise<void>): Promise<void>
}

type Keeping = Pick<WorkParts, 'database' | 'queue'>

/**
 * Runs statements in a transaction if this worker still holds the job: a worker whose lease has expired changes
 * nothing. If the transaction committed but its connection broke, the repetition fails with VID_CLOUD_JOB_LOST, because
 * the job is gone.
 */
const whileHeld = (
  { database }: Keeping,
  { job, workerId }: Pick<HeldJob, 'job' | 'workerId'>,
  signal: AbortSignal,
  work: (sql: Sql) => Promise<void>,
): Promise<void> =>
  untilReachable(
    () =>
      database.transaction(async (sql) => {
        const { rowCount } = await sql.run(
          'SELECT 1 FROM vid.worker_jobs WHERE job_id = $1 AND worker_id = $2 FOR UPDATE',
          [job.id, workerId],
        )
        if (rowCount === 0) throw fail('VID_CLOUD_JOB_LOST', { job: job.id })
        await work(sql)
        await releaseJobs(sql, [job.id])
      }),
    signal,
  )

/** Completes a job, together with other statements. */
export const finishJob = (
  parts: Keeping,
  heldJob: Pick<HeldJob, 'job' | 'workerId'>,
  signal: AbortSignal,
  work: (sql: Sql) => Promise<void>,
): Promise<void> =>
  whileHeld(parts, heldJob, signal, async (sql) => {
    await work(sql)
    await parts.queue.complete(sql, heldJob.job.id)
  })

/** Notes that a job failed on a worker, so that others try it next. */
const noteFault = (sql: Sql, { job, workerId }: Pick<HeldJob, 'job' | 'workerId'>) =>
  sql.run(
    `INSERT INTO vid.job_faults (job_id, worker_id) VALUES ($1, $2)
     ON CONFLICT (job_id, worker_id) DO UPDATE SET failed_at = now()`,
    [job.id, workerId],
  )

/** Retries a job later, on another worker if there is one; fails its render if it was tried too often. */
export const retryJob = (
  parts: Keeping,
  heldJob: Pick<HeldJob, 'job' | 'workerId'>,
  signal: AbortSignal,
  output: object,
): Promise<void> =>
  whileHeld(parts, heldJob, signal, async (sql) => {
    await noteFault(sql, heldJob)
    await parts.queue.fail(sql, [heldJob.job.id], output)
  })

/** Pause before another worker gets a job that a worker could not do, in seconds. */
const PASS_SECONDS = 1

/** Leaves a job that this worker cannot do to others; this does not count as an attempt. */
export const passJobOn = (
  parts: Keeping,
  heldJob: Pick<HeldJob, 'job' | 'workerId'>,
  signal: AbortSignal,
): Promise<void> =>
  whileHeld(parts, heldJob, signal, async (sql) => {
    await noteFault(sql, heldJob)
    await parts.queue.giveBack(sql, [heldJob.job.id], PASS_SECONDS)
  })

/** Returns a job to the queue behind those of another account. */
export const yieldJob = (
  parts: Keeping,
  heldJob: Pick<HeldJob, 'job' | 'workerId' | 'render'>,
  signal: AbortSignal,
): Promise<void> =>
  whileHeld(parts, heldJob, signal, async (sql) => {
    await sql.run('UPDATE vid.renders SET yields = yields + 1 WHERE id = $1', [heldJob.render.id])
    await parts.queue.giveBack(sql, [heldJob.job.id])
  })

/** Returns a job to the queue at once, for another worker. */
export const giveJobBack = (
  parts: Keeping,
  heldJob: Pick<HeldJob, 'job' | 'workerId'>,
  signal: AbortSignal,
): Promise<void> => whileHeld(parts, heldJob, signal, (sql) => parts.queue.giveBack(sql, [heldJob.job.id]))

/** Removes duplicate warnings. */
export const distinctWarnings = (warnings: readonly Warning[]): Warning[] => [
  ...new Map(warnings.map((warning) => [`${warning.code}\n${warning.message}`, warning])).values(),
]
