import { hostname } from 'node:os'
import type { CloudCodec } from '@vid/client/contract'
import { failRender } from '@vid/protocol'
import type { Sql } from '../database/database.ts'
import { fail } from '../errors.ts'
import type { WorkerPart } from '../health/trial.ts'
import { newId } from '../ids.ts'
import { endDeleted } from '../queue/endings.ts'
import { HELD_SECONDS, releaseJobs } from '../queue/fairness.ts'
import { jobToYield } from '../queue/job-to-yield.ts'
import { addDue } from '../queue/waiting.ts'
import type { HeldJob } from './held-job.ts'
import type { WorkParts } from './parts.ts'

/** Seconds after which a job that this worker does not know is returned: the reply that assigned it was lost. */
const UNKNOWN_SECONDS = 15

/** What a worker can do at the moment. */
export interface WorkerState {
  /** Those that it encodes; null if that is unknown. */
  readonly codecs: readonly CloudCodec[] | null
  /** The part of it that does not work; null if all do. */
  readonly problem: WorkerPart | null
}

/** Records a new worker. */
export const register = async (
  { database }: Pick<WorkParts, 'database'>,
  {
    slots,
    version,
    codecs = null,
    problem = null,
  }: { readonly slots: number; readonly version: string } & Partial<WorkerState>,
): Promise<string> => {
  const id = newId('worker')
  await database.run(
    'INSERT INTO vid.workers (id, host, version, slots, codecs, problem) VALUES ($1, $2, $3, $4, $5, $6)',
    [id, hostname(), version, slots, codecs && JSON.stringify(codecs), problem],
  )
  return id
}

/** Records what a worker can do now; the failures that came of its problem are forgotten when it has none. */
export const recordState = (
  { database }: Pick<WorkParts, 'database'>,
  workerId: string,
  { codecs, problem }: WorkerState,
): Promise<void> =>
  database.transaction(async (sql) => {
    await sql.run('UPDATE vid.workers SET codecs = $2, problem = $3 WHERE id = $1', [
      workerId,
      codecs && JSON.stringify(codecs),
      problem,
    ])
    if (problem === null) await sql.run('DELETE FROM vid.job_faults WHERE worker_id = $1', [workerId])
  })

interface LeasedRow {
  readonly job_id: string
  readonly is_open: boolean
  readonly is_old: boolean
  /** Seconds that the job has run, and that the jobs of its render have held slots. */
  readonly seconds: number
  readonly render_seconds: number
  readonly max_render_seconds: number | null
  readonly max_frame_seconds: number | null
}

/** Aborts a job that belongs to another worker now. */
const abortLost = ({ stop, job }: HeldJob) =>
  stop.abort(new Error('lost', { cause: fail('VID_CLOUD_JOB_LOST', { job: job.id }) }))

/** Aborts a job that was cancelled. */
const abortCancelled = ({ stop }: HeldJob) =>
  stop.abort(new Error('cancelled', { cause: failRender('VID_CANCELLED', {}) }))

/** Aborts a job whose slot another account waits for. */
const abortYielding = (heldJobs: ReadonlyMap<string, HeldJob>, jobId: string | undefined): void => {
  const job = jobId === undefined ? undefined : heldJobs.get(jobId)
  if (job && !job.isFinishing) job.stop.abort(new Error('yields', { cause: fail('VID_CLOUD_YIELD', {}) }))
}

/** Allowance for the start of a job, as a number of frames. */
const START_FRAMES = 12

/** Aborts a job that costs more than its account allows per render or per frame. */
const limitCost = ({ stop, job, frames }: HeldJob, row: LeasedRow): void => {
  const { seconds, render_seconds: total, max_render_seconds: limit, max_frame_seconds: perFrame } = row
  if (limit !== null && total > limit)
    stop.abort(new Error('cost', { cause: fail('VID_CLOUD_RENDER_COST', { limit }) }))
  else if (perFrame !== null && job.data.kind !== 'join' && seconds > perFrame * (START_FRAMES + frames)) {
    const facts = { limit: perFrame, frames, seconds: Math.round(seconds) }
    stop.abort(new Error('cost', { cause: fail('VID_CLOUD_FRAME_COST', facts) }))
  }
}

/** Records the progress of renders, which never goes back. */
const reportProgress = async (sql: Sql, heldJobs: readonly HeldJob[]): Promise<void> => {
  for (const heldJob of heldJobs.filter(({ isReported }) => !isReported)) {
    heldJob.isReported = true
    const { job, render, frames, totalFrames } = heldJob
    const { data } = job
    if (data.kind === 'segment') {
      await sql.run(
        `UPDATE vid.render_segments SET frames_rendered = $4
         WHERE render_id = $1 AND attempt = $2 AND number = $3 AND done_at IS NULL`,
        [render.id, data.attempt, data.number, frames],
      )
      await sql.run(
        `UPDATE vid.renders AS r SET frames_rendered = GREATEST(r.frames_rendered, s.frames),
           progress = GREATEST(r.progress, 0.98 * s.frames / GREATEST(1, r.total_frames))
         FROM (SELECT sum(frames_rendered)::int AS frames FROM vid.render_segments
               WHERE render_id = $1 AND attempt = $2) AS s
         WHERE r.id = $1 AND r.attempt = $2 AND r.status = 'rendering'`,
        [render.id, data.attempt],
      )
    } else if (data.kind === 'render')
      await sql.run(
        `UPDATE vid.renders SET frames_rendered = GREATEST(frames_rendered, $2::int), total_frames = $3::int,
           progress = GREATEST(progress, 0.98 * $2::float8 / $3::int)
         WHERE id = $1 AND status = 'rendering' AND plan_key IS NULL`,
        [render.id, frames, Math.max(1, totalFrames)],
      )
  }
}

/**
 * Renews the lease of a worker, reports its progress, and aborts jobs that were lost or cancelled. False if its lease
 * has expired and its jobs belong to others now.
 */
export const renewLease = async (
  { database, queue }: Pick<WorkParts, 'database' | 'queue'>,
  workerId: string,
  heldJobs: ReadonlyMap<string, HeldJob>,
): Promise<boolean> => {
  const { rowCount } = await database.run('UPDATE vid.workers SET last_seen = now() WHERE id = $1', [workerId])
  if (rowCount === 0) {
    for (const heldJob of heldJobs.values()) abortLost(heldJob)
    return false
  }
  // A snapshot: jobs taken after the next statement are not among its rows.
  const leases = [...heldJobs.values()]
  const rows = await database.rows<LeasedRow>(
    `SELECT w.job_id, taken_at < now() - make_interval(secs => $2) AS is_old,
       COALESCE(r.status IN ('queued', 'rendering') AND r.deleted_at IS NULL, false) AS is_open,
       ${HELD_SECONDS} AS seconds, a.max_render_seconds, a.max_frame_seconds,
       COALESCE(r.machine_seconds, 0) + (
         SELECT sum(${HELD_SECONDS}) FROM vid.worker_jobs AS w WHERE w.render_id = r.id) AS render_seconds
     FROM vid.worker_jobs AS w LEFT JOIN vid.renders AS r ON r.id = w.render_id
     LEFT JOIN vid.accounts AS a ON a.id = r.account_id WHERE worker_id = $1`,
    [workerId, UNKNOWN_SECONDS],
  )
  const rowOf = new Map(rows.map((row) => [row.job_id, row]))
  for (const heldJob of leases) {
    const row = rowOf.get(heldJob.job.id)
    if (!row) abortLost(heldJob)
    else if (!row.is_open) abortCancelled(heldJob)
    else if (!heldJob.isFinishing) limitCost(heldJob, row)
  }
  const unknown = rows.filter(({ job_id, is_old }) => is_old && !heldJobs.has(job_id)).map(({ job_id }) => job_id)
  if (unknown.length > 0)
    await database.transaction(async (sql) => {
      await queue.giveBack(sql, unknown)
      await releaseJobs(sql, unknown)
    })
  if (rows.some(({ is_open }) => !is_open)) await endDeleted(database)
  await reportProgress(database, leases)
  if (leases.length > 0) {
    // With no free slot, nobody takes jobs, which else adds them.
    await addDue(database)
    abortYielding(heldJobs, await jobToYield(database, workerId))
  }
  return true
}
