import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Database, Sql } from '../database/database.ts'

/** Rows read or written at once. */
const BATCH = 500

/**
 * Tables that are left out because their rows are only valid in the running server: workers, jobs of renders in
 * progress, which restart, and incomplete uploads, which clients begin again.
 */
const PASSING: ReadonlySet<string> = new Set([
  'schema_version',
  'workers',
  'worker_jobs',
  'render_segments',
  'stream_holders',
  'waiting_jobs',
  'waiting_accounts',
  'uploads',
  'upload_parts',
])

/** Names of the tables in a backup; each comes after the tables that its rows refer to. */
const keptTables = async (sql: Sql): Promise<string[]> => {
  const tables = await sql.rows<{ name: string }>(
    // Only permanent tables: unlogged ones don't survive a crash either.
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'vid'::regnamespace AND relkind = 'r' AND relpersistence = 'p' ORDER BY relname`,
  )
  const references = await sql.rows<{ from: string; to: string }>(
    `SELECT f.relname AS from, t.relname AS to FROM pg_constraint AS c
     JOIN pg_class AS f ON f.oid = c.conrelid JOIN pg_class AS t ON t.oid = c.confrelid
     WHERE c.contype = 'f' AND c.connamespace = 'vid'::regnamespace AND c.conrelid <> c.confrelid`,
  )
  const ordered = new Set<string>()
  const add = (name: string): void => {
    for (const { from, to } of references) if (from === name && !ordered.has(to)) add(to)
    ordered.add(name)
  }
  for (const { name } of tables) add(name)
  return [...ordered].filter((name) => !PASSING.has(name))
}

/** Yields the rows of a query in batches. */
async function* batchesOf<T>(sql: Sql, query: string): AsyncGenerator<T[]> {
  await sql.run(`DECLARE backup NO SCROLL CURSOR FOR ${query}`)
  for (;;) {
    const rows = await sql.rows<T>(`FETCH ${BATCH} FROM backup`)
    if (rows.length === 0) break
    yield rows
  }
  await sql.run('CLOSE backup')
}

/** Yields every row of the tables in a backup as a line of JSON. */
async function* linesOf(sql: Sql): AsyncGenerator<string> {
  for (const table of await keptTables(sql))
    for await (const rows of batchesOf<{ row: string }>(sql, `SELECT to_jsonb(t)::text AS row FROM vid.${table} AS t`))
      yield rows.map(({ row }) => `{"table":"${table}","row":${row}}\n`).join('')
}

/** Keys of the files that rows need: projects, and results of renders that were not deleted. */
const NEEDED = `
  SELECT storage_key AS key FROM vid.assets
  UNION SELECT project_key FROM vid.renders WHERE deleted_at IS NULL AND status IN ('queued', 'rendering')
  UNION SELECT key FROM vid.renders, unnest(ARRAY[video_key, thumbnail_key, poster_key]) AS key
    WHERE deleted_at IS NULL AND key IS NOT NULL
  UNION SELECT 'streams/' || s.render_id || '/' || s.attempt || '/' || name
    FROM vid.streams AS s JOIN vid.renders AS r ON r.id = s.render_id, jsonb_array_elements_text(s.files) AS name
    WHERE s.is_complete AND r.deleted_at IS NULL`

/** Reads all rows in one snapshot; resolves to the keys of the files that they need. */
export const readRows = (
  database: Database,
  write: (lines: AsyncIterable<string>) => Promise<void>,
): Promise<string[]> =>
  database.transaction(async (sql) => {
    await sql.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    await write(linesOf(sql))
    const keys: string[] = []
    for await (const rows of batchesOf<{ key: string }>(sql, NEEDED)) keys.push(...rows.map(({ key }) => key))
    return keys
  })

/** The keys among these that rows still need. */
export const neededKeys = async (database: Database, keys: readonly string[]): Promise<string[]> => {
  const rows = await database.rows<{ key: string }>(
    `SELECT key FROM (${NEEDED}) AS needed WHERE key = ANY($1::text[])`,
    [keys],
  )
  return rows.map(({ key }) => key)
}

/** Reads a file of rows, grouped by table in batches. */
async function* tablesIn(path: string): AsyncGenerator<{ table: string; rows: string }> {
  let table = ''
  let rows: string[] = []
  for await (const line of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const [, name = '', row = ''] = /^\{"table":"(\w+)","row":(.*)\}$/s.exec(line) ?? []
    if (rows.length > 0 && (name !== table || rows.length >= BATCH)) {
      yield { table, rows: `[${rows.join(',')}]` }
      rows = []
    }
    table = name
    rows.push(row)
  }
  if (rows.length > 0) yield { table, rows: `[${rows.join(',')}]` }
}

/** Replaces all rows with those of the backup; the tables must have the schema version of the backup. */
export const writeRows = (database: Database, path: string): Promise<void> =>
  database.transaction(async (sql) => {
    const tables = new Set(await keptTables(sql))
    await sql.run(`TRUNCATE ${[...tables].map((name) => `vid.${name}`).join(', ')} CASCADE`)
    for await (const { table, rows } of tablesIn(path)) {
      if (!tables.has(table)) throw new TypeError(`the backup has an unknown table "${table}"`)
      await sql.run(
        `INSERT INTO vid.${table} OVERRIDING SYSTEM VALUE
         SELECT * FROM jsonb_populate_recordset(NULL::vid.${table}, $1::jsonb)`,
        [rows],
      )
    }
    const counted = await sql.rows<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'vid' AND is_identity = 'YES'`,
    )
    for (const { table, column } of counted)
      await sql.run(
        `SELECT setval(pg_get_serial_sequence('vid.${table}', '${column}'), max(${column})) FROM vid.${table}`,
      )
  })
