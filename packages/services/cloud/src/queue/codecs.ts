import type { CloudCodec } from '@vid/client/contract'
import type { Sql } from '../database/database.ts'
import { fail } from '../errors.ts'
import { SILENT_SECONDS } from './fairness.ts'

/** Condition on a row of `vid.workers`: it was seen lately. */
const IS_ALIVE = `last_seen > now() - interval '${SILENT_SECONDS} seconds'`

/**
 * Condition on a codec: the worker whose id is a parameter encodes it, or no worker does. In that case any of them fails
 * the render, which would wait forever otherwise.
 */
export const mayEncode = (parameter: string, codec: string): string => {
  const isAble = `(k.codecs IS NULL OR k.codecs ? ${codec})`
  return `(${parameter}::text IS NULL
    OR EXISTS (SELECT 1 FROM vid.workers AS k WHERE k.id = ${parameter}::text AND ${isAble})
    OR NOT EXISTS (SELECT 1 FROM vid.workers AS k WHERE ${IS_ALIVE} AND ${isAble}))`
}

/** For how long a job on which a worker failed goes to others, in seconds: they may be busy or as unable. */
const ELSEWHERE_SECONDS = 60

/**
 * Condition on a job: it did not fail lately on the worker whose id is a parameter, or no other worker that works is
 * left for it.
 */
export const mayTry = (parameter: string, job: string, codec: string): string => {
  const failedOn = (worker: string) => `EXISTS (SELECT 1 FROM vid.job_faults AS f WHERE f.job_id = ${job}
    AND f.worker_id = ${worker} AND f.failed_at > now() - interval '${ELSEWHERE_SECONDS} seconds')`
  return `(NOT ${failedOn(`${parameter}::text`)}
    OR NOT EXISTS (SELECT 1 FROM vid.workers AS k WHERE ${IS_ALIVE} AND k.problem IS NULL
      AND (k.codecs IS NULL OR k.codecs ? ${codec}) AND NOT ${failedOn('k.id')}))`
}

/** Refuses a codec that none of the workers encodes. Without a worker, nobody knows, and the render waits for one. */
export const checkEncodable = async (sql: Sql, codec: CloudCodec | undefined): Promise<void> => {
  if (codec === undefined) return
  const workers = await sql.rows<{ codecs: readonly CloudCodec[] | null }>(
    `SELECT codecs FROM vid.workers WHERE ${IS_ALIVE}`,
  )
  if (workers.length === 0 || workers.some(({ codecs }) => codecs === null || codecs.includes(codec))) return
  const able = [...new Set(workers.flatMap(({ codecs }) => codecs ?? []))].sort()
  throw fail('VID_CLOUD_CODEC', { field: 'codec', codec, able })
}
