import { fail } from '../errors.ts'
import type { Database } from './database.ts'
import { start } from './migrations/0001-start.ts'
import { playLabels } from './migrations/0002-play-labels.ts'
import { playChoice } from './migrations/0003-play-choice.ts'
import { machineTime } from './migrations/0004-machine-time.ts'
import { streams } from './migrations/0005-streams.ts'
import { posters } from './migrations/0006-posters.ts'
import { shapes } from './migrations/0007-shapes.ts'
import { waitingJobs } from './migrations/0008-waiting-jobs.ts'
import { indexes } from './migrations/0009-indexes.ts'
import { sickWorkers } from './migrations/0010-sick-workers.ts'
import { openRenders } from './migrations/0011-open-renders.ts'

/** The statements that upgrade the schema from each version to the next; append only. */
export const migrations: readonly string[] = [
  start,
  playLabels,
  playChoice,
  machineTime,
  streams,
  posters,
  shapes,
  waitingJobs,
  indexes,
  sickWorkers,
  openRenders,
]

/** The schema version that this process needs. */
export const SCHEMA_VERSION = migrations.length

/** Number of the advisory lock that guards migrations; an arbitrary constant. */
const LOCK = 7_236_418_251

/** The schema version of a database; 0 if it is empty. */
export const schemaVersion = async (database: Database): Promise<number> => {
  const [table] = await database.rows<{ exists: boolean }>(
    `SELECT to_regclass('vid.schema_version') IS NOT NULL AS exists`,
  )
  if (!table?.exists) return 0
  const [row] = await database.rows<{ version: number }>('SELECT version FROM vid.schema_version')
  return row?.version ?? 0
}

const refuseNewer = (schema: number): void => {
  if (schema > SCHEMA_VERSION) throw fail('VID_CLOUD_SCHEMA_NEWER', { found: schema, known: SCHEMA_VERSION })
}

/** Migrates the schema to a version, by default that of this process; one process at a time. Refuses a newer schema. */
export const migrate = async (database: Database, to = SCHEMA_VERSION): Promise<void> => {
  refuseNewer(await schemaVersion(database))
  await database.transaction(async (sql) => {
    await sql.run('SELECT pg_advisory_xact_lock($1)', [LOCK])
    await sql.run('CREATE SCHEMA IF NOT EXISTS vid')
    await sql.run('CREATE TABLE IF NOT EXISTS vid.schema_version (version integer NOT NULL)')
    const [row] = await sql.rows<{ version: number }>('SELECT version FROM vid.schema_version')
    const version = row?.version ?? 0
    refuseNewer(version)
    for (const statements of migrations.slice(version, to)) await sql.run(statements)
    await sql.run('DELETE FROM vid.schema_version')
    await sql.run('INSERT INTO vid.schema_version (version) VALUES ($1)', [Math.max(version, to)])
  })
}
