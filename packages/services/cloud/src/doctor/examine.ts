import { randomUUID } from 'node:crypto'
import { readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeCause, withoutCredentials } from '@vid/protocol'
import type { Database } from '../database/database.ts'
import { schemaVersion } from '../database/migrate.ts'
import { SCHEMA_VERSION } from '../database/migrations/index.ts'
import type { Queue } from '../queue/queue.ts'
import type { Storage } from '../storage/storage.ts'
import { sweep } from '../sweep/sweep.ts'
import type { CloudLog } from '../worker/parts.ts'
import { countLeftovers, type Leftovers } from './leftovers.ts'

/** The parts of a server that the doctor examines. */
export interface Examined {
  readonly database: Database
  readonly storage: Storage
  readonly queue: Queue
  readonly log: CloudLog
}

/** The result of one check of a server. */
interface Check {
  readonly name: string
  readonly ok: boolean
  /** Whether the server cannot work without it. */
  readonly required: boolean
  readonly detail: string
  /** What to do about it; empty if nothing. */
  readonly hint: string
}

/** The results of an examination. */
export interface Examination {
  readonly ok: boolean
  readonly checks: readonly Check[]
  /** Leftovers of deleted renders; null if no sweep ran before. */
  readonly left: Leftovers | null
}

/** The report of a check; a check fails by throwing. */
interface Finding {
  readonly detail: string
  /** Set if there is a problem that is not a failure. */
  readonly hint?: string
}

interface Trial {
  readonly name: string
  readonly required: boolean
  /** What to do if it fails. */
  readonly hint: string
  look(parts: Examined): Promise<Finding>
}

const MAX_CLOCK_SECONDS = 30
const MIN_FREE_BYTES = 2 ** 30
const SEEN = `last_seen > now() - interval '20 seconds'`

/** Writes, reads and removes a small file. */
const tryStorage = async ({ storage }: Examined): Promise<Finding> => {
  const key = `doctor/${randomUUID()}`
  const text = randomUUID()
  const uploadPath = join(tmpdir(), `vid-${randomUUID()}`)
  const downloadPath = join(tmpdir(), `vid-${randomUUID()}`)
  try {
    await writeFile(uploadPath, text, { flag: 'wx', mode: 0o600 })
    await storage.put(key, uploadPath, { type: 'text/plain' })
    const isThere = await storage.get(key, downloadPath)
    if (!isThere || (await readFile(downloadPath, 'utf8')) !== text)
      throw new Error('a stored file could not be read back unchanged')
    return { detail: `${storage.description}: stores, reads and removes files` }
  } finally {
    await storage.remove([key]).catch(() => {})
    await Promise.all([uploadPath, downloadPath].map((path) => rm(path, { force: true })))
  }
}

const trials: readonly Trial[] = [
  {
    name: 'database',
    required: true,
    hint: 'Start the database, or correct DATABASE_URL.',
    async look({ database }) {
      const [row] = await database.rows<{ version: string }>('SHOW server_version')
      const schema = await schemaVersion(database)
      if (schema < SCHEMA_VERSION) throw new Error(`its schema has version ${schema}, not ${SCHEMA_VERSION}`)
      return {
        detail: `Postgres ${Object.values(row ?? {})[0]} (${database.kind}), schema version ${schema}`,
      }
    },
  },
  {
    name: 'clock',
    required: false,
    hint: 'Synchronize the clocks of both machines by NTP: signed addresses depend on them.',
    async look({ database }) {
      const [row] = await database.rows<{ now: Date }>('SELECT clock_timestamp() AS now')
      const seconds = Math.abs((row?.now.getTime() ?? 0) - Date.now()) / 1000
      if (seconds > MAX_CLOCK_SECONDS) throw new Error(`${seconds.toFixed(0)} s off the clock of the database`)
      return { detail: `${seconds.toFixed(1)} s off the clock of the database` }
    },
  },
  {
    name: 'storage',
    required: true,
    hint: 'Check the address, the credentials and the free space of the storage.',
    look: tryStorage,
  },
  {
    name: 'disk',
    required: false,
    hint: 'Free disk space: renders need it for their frames and segments.',
    async look() {
      const { bavail, bsize } = await statfs(tmpdir())
      const free = bavail * bsize
      if (free < MIN_FREE_BYTES) throw new Error(`${Math.round(free / 2 ** 20)} MiB free for temporary files`)
      return { detail: `${Math.round(free / 2 ** 30)} GiB free for temporary files` }
    },
  },
  {
    name: 'workers',
    required: true,
    hint: 'Start a worker: vid cloud serve --role worker.',
    async look({ database, queue }) {
      const workers = await database.rows<{ host: string; slots: number; version: string; problem: string | null }>(
        `SELECT host, slots, version, problem FROM vid.workers WHERE ${SEEN} ORDER BY host, id`,
      )
      const { waiting, active } = await queue.depth()
      const jobs = `${waiting} jobs waiting, ${active} running`
      if (workers.length === 0 && waiting > 0) throw new Error(`no worker has reported in the last 20 seconds; ${jobs}`)
      const sick = workers.flatMap(({ host, problem }) => (problem === null ? [] : [`the ${problem} of ${host}`]))
      if (sick.length > 0 && sick.length === workers.length)
        throw new Error(`no worker takes jobs: ${sick.join(', ')} does not work; ${jobs}`)
      const versions = new Set(workers.map(({ version }) => version))
      const slots = workers.reduce((sum, worker) => sum + worker.slots, 0)
      return {
        detail: `${workers.length} workers with ${slots} slots; ${jobs}`,
        ...(versions.size > 1 && {
          hint: `Run the same version everywhere: ${[...versions].join(', ')} make different plans.`,
        }),
        ...(sick.length > 0 && {
          hint: `Mend what does not work: ${sick.join(', ')}. These workers take no jobs until then.`,
        }),
      }
    },
  },
  {
    name: 'renders',
    required: false,
    hint: 'Check the logs of the workers.',
    async look({ database }) {
      const [row] = await database.rows<{ oldest: number | null; failed: number; ended: number }>(
        `SELECT (SELECT extract(epoch FROM now() - min(created_at))::float8 FROM vid.renders
             WHERE status = 'queued' AND deleted_at IS NULL AND shapes IS NULL) AS oldest,
           count(*) FILTER (WHERE status = 'failed') AS failed, count(*) AS ended
         FROM vid.renders
         WHERE completed_at > now() - interval '1 day' AND deleted_at IS NULL AND shapes IS NULL`,
      )
      const { oldest = null, failed = 0, ended = 0 } = row ?? {}
      const waits = oldest === null ? 'none waiting' : `the oldest has waited for ${Math.round(oldest)} s`
      return { detail: `${waits}; ${failed} of ${ended} failed in the last day` }
    },
  },
  {
    name: 'webhooks',
    required: false,
    hint: 'List them with vid cloud webhooks list --failed, and send one again with vid cloud webhooks retry.',
    async look({ database }) {
      const [row] = await database.rows<{ waiting: number; failed: number }>(
        `SELECT (SELECT count(*) FROM vid.webhook_deliveries WHERE status = 'waiting') AS waiting,
           (SELECT count(*) FROM vid.webhook_deliveries
             WHERE status = 'failed' AND created_at > now() - interval '4 days'
               AND ended_at > now() - interval '1 day') AS failed`,
      )
      const { waiting = 0, failed = 0 } = row ?? {}
      if (failed > 0) throw new Error(`${failed} failed for good in the last day, ${waiting} waiting`)
      return { detail: `none failed for good in the last day, ${waiting} waiting` }
    },
  },
]

const tryOut = async ({ name, required, hint, look: check }: Trial, parts: Examined): Promise<Check> => {
  try {
    const finding = await check(parts)
    return { name, ok: true, required, detail: finding.detail, hint: finding.hint ?? '' }
  } catch (thrown) {
    return { name, ok: false, required, detail: withoutCredentials(describeCause(thrown)), hint }
  }
}

/** Checks every part of a server. With `sweeps`, it sweeps first and then counts the leftovers. */
export const examine = async (
  parts: Examined,
  { sweeps = false }: { readonly sweeps?: boolean } = {},
): Promise<Examination> => {
  const checks = []
  for (const trial of trials) checks.push(await tryOut(trial, parts))
  const ok = checks.every((check) => check.ok || !check.required)
  if (!sweeps || !ok) return { ok, checks, left: null }
  await sweep(parts, { purgeAfterMs: 0, orphanAfterMs: 0 })
  return { ok, checks, left: await countLeftovers(parts) }
}
