import { backOff, retry } from '@vid/system'
import { fail } from '../errors.ts'
import { version as vid } from '../version.ts'
import type { Database, Sql } from './database.ts'
import { type Migration, migrations, SCHEMA_VERSION, USABLE_FROM } from './migrations/index.ts'

/** Number of the advisory lock that guards migrations; an arbitrary constant. */
const LOCK = 7_236_418_251
/** The same for the building of indexes, which waits for all statements, also for those that wait for the other lock. */
const INDEX_LOCK = 7_236_418_254

interface Version {
  readonly version: number
  /** The oldest schema version whose processes can use it. */
  readonly usableFrom: number
  /** Version of vid that made it; empty for an old one. */
  readonly madeBy: string
}

const EMPTY: Version = { version: 0, usableFrom: 0, madeBy: '' }

const readVersion = async (sql: Sql): Promise<Version> => {
  const [table] = await sql.rows<{ exists: boolean }>(`SELECT to_regclass('vid.schema_version') IS NOT NULL AS exists`)
  if (!table?.exists) return EMPTY
  const [row] = await sql.rows<{ row: { version: number; usable_from?: number; made_by?: string } }>(
    'SELECT to_jsonb(v) AS row FROM vid.schema_version AS v',
  )
  if (!row) return EMPTY
  const { version, usable_from: usableFrom = version, made_by: madeBy = '' } = row.row
  return { version, usableFrom, madeBy }
}

/** The schema version of a database; 0 if it is empty. */
export const schemaVersion = async (database: Database): Promise<number> => (await readVersion(database)).version

/** Refuses a schema of a newer version that processes of this version cannot use. */
const refuseUnusable = ({ version, usableFrom, madeBy }: Version): void => {
  if (version > SCHEMA_VERSION && usableFrom > SCHEMA_VERSION)
    throw fail('VID_CLOUD_SCHEMA_NEWER', { found: version, known: SCHEMA_VERSION, ...(madeBy && { madeBy }) })
}

const note = (sql: Sql, version: number) =>
  version < 12
    ? sql.run('UPDATE vid.schema_version SET version = $1', [version])
    : sql.run('UPDATE vid.schema_version SET version = $1, usable_from = $2, made_by = $3', [version, USABLE_FROM, vid])

/** Runs the next migrations that are statements; resolves to the version that they lead to. */
const runStatements = (database: Database, to: number): Promise<number> =>
  database.transaction(async (sql) => {
    await sql.run('SELECT pg_advisory_xact_lock($1)', [LOCK])
    await sql.run('CREATE SCHEMA IF NOT EXISTS vid')
    await sql.run('CREATE TABLE IF NOT EXISTS vid.schema_version (version integer NOT NULL)')
    await sql.run('INSERT INTO vid.schema_version SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM vid.schema_version)')
    const schema = await readVersion(sql)
    refuseUnusable(schema)
    let { version } = schema
    for (; version < to; version += 1) {
      const statements = migrations[version]?.sql
      if (statements === undefined) break
      await sql.run(statements)
    }
    if (version > schema.version) await note(sql, version)
    return version
  })

/** Builds indexes while the table is used. One that was left half built by a process that ended is built again. */
const buildInUse = async (database: Database, indexes: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, definition] of Object.entries(indexes)) {
    const halves = await database.rows('SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid', [
      `vid.${name}`,
    ])
    if (halves.length > 0) await database.run(`DROP INDEX CONCURRENTLY vid.${name}`)
    await database.run(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${definition}`)
  }
}

const BUSY = new Error('another process builds the indexes')

/** Builds the indexes of a migration, one process at a time. */
const runIndexes = async (database: Database, { indexes = {} }: Migration, version: number): Promise<void> => {
  if (database.kind === 'embedded')
    return database.transaction(async (sql) => {
      for (const [name, definition] of Object.entries(indexes)) await sql.run(`CREATE INDEX ${name} ON ${definition}`)
      await note(sql, version)
    })
  const build = () =>
    database.transaction(async (guard) => {
      // The building waits for all statements: for one that waits for the lock, and for one whose parameters keep it open.
      const [lock] = await guard.rows<{ taken: boolean }>(`SELECT pg_try_advisory_xact_lock(${INDEX_LOCK}) AS taken`)
      if (!lock?.taken) throw BUSY
      if ((await schemaVersion(database)) >= version) return
      await buildInUse(database, indexes)
      await note(database, version)
    })
  await retry(build, { may: (thrown) => thrown === BUSY, delays: backOff({ firstMs: 100, maxMs: 2000 }) })
}

/** What a migration would do. */
export interface MigrationPlan {
  /** Schema version of the database; 0 if it is empty. */
  readonly from: number
  readonly to: number
  readonly steps: readonly { readonly version: number; readonly name: string; readonly isBuiltInUse: boolean }[]
}

/** Reads what a migration would do; refuses a schema that processes of this version cannot use. */
export const planMigration = async (database: Database): Promise<MigrationPlan> => {
  const schema = await readVersion(database)
  refuseUnusable(schema)
  const steps = migrations.slice(schema.version).map(({ name, sql }, index) => ({
    version: schema.version + index + 1,
    name,
    isBuiltInUse: sql === undefined,
  }))
  return { from: schema.version, to: Math.max(schema.version, SCHEMA_VERSION), steps }
}

/**
 * Migrates the schema to a version, by default that of this process; one process at a time. A newer schema is left
 * alone if processes of this version can use it, and refused if not.
 */
export const migrate = async (database: Database, to = SCHEMA_VERSION): Promise<void> => {
  for (;;) {
    const schema = await readVersion(database)
    refuseUnusable(schema)
    if (schema.version >= to) return
    const version = await runStatements(database, to)
    const next = migrations[version]
    if (version < to && next) await runIndexes(database, next, version + 1)
  }
}
