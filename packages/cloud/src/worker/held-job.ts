import type { Warning } from '@vid/kernel'
import type { Sql } from '../database/database.ts'
import { untilReachable } from '../database/until-reachable.ts'
import { fail } from '../errors.ts'
import { releaseJobs } from '../queue/fairness.ts'
import type { QueuedJob } from '../queue/queue.ts'
import type { RenderRow } from '../queue/render-row.ts'
import type { WorkParts } from './parts.ts'

/** A job that this worker holds. */
export interface HeldJob {
  readonly job: QueuedJob
  /** As it was when the job was taken. */
  readonly render: RenderRow
  readonly workerId: string
  /** Aborted with an error as the cause of its reason. */
  readonly stop: AbortController
  /** Its progress, and whether that was recorded. */
  frames: number
  totalFrames: number
  isReported: boolean
  /** Its work is done, and is being recorded. */
  isFinishing: boolean
}

/** What a job does its work with. */
export interface JobRun {
  readonly workerId: string
  readonly job: QueuedJob
  readonly render: RenderRow
  readonly signal: AbortSignal
  /** Absolute folder of this job, removed after it. */
  readonly workDir: string
  progress(framesRendered: number, totalFrames: number): void
  /** Ends the job, in one transaction with other statements; refused when another worker has it. */
  finish(work: (sql: Sql) => Promise<void>): Promise<void>
}

type Keeping = Pick<WorkParts, 'database' | 'queue'>

/**
 * Runs statements in a transaction that this worker is allowed: one whose lease has expired changes nothing any more.
 * A job that has ended by it is no longer there when it is repeated after the connection was lost.
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

/** Ends a job as done, with other statements. */
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

/** Has a job tried again later, or its render fail when it was tried too often. */
export const retryJob = (
  parts: Keeping,
  heldJob: Pick<HeldJob, 'job' | 'workerId'>,
  signal: AbortSignal,
  output: object,
): Promise<void> => whileHeld(parts, heldJob, signal, (sql) => parts.queue.fail(sql, [heldJob.job.id], output))

/** Lets jobs of another account go first. */
export const yieldJob = (
  parts: Keeping,
  heldJob: Pick<HeldJob, 'job' | 'workerId' | 'render'>,
  signal: AbortSignal,
): Promise<void> =>
  whileHeld(parts, heldJob, signal, async (sql) => {
    await sql.run('UPDATE vid.renders SET yields = yields + 1 WHERE id = $1', [heldJob.render.id])
    await parts.queue.giveBack(sql, [heldJob.job.id])
  })

/** Lets another worker do a job, at once. */
export const giveJobBack = (
  parts: Keeping,
  heldJob: Pick<HeldJob, 'job' | 'workerId'>,
  signal: AbortSignal,
): Promise<void> => whileHeld(parts, heldJob, signal, (sql) => parts.queue.giveBack(sql, [heldJob.job.id]))

/** Warnings without repeats. */
export const distinctWarnings = (warnings: readonly Warning[]): Warning[] => [
  ...new Map(warnings.map((warning) => [`${warning.code}\n${warning.message}`, warning])).values(),
]
