import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { canHavePostgres, postgresDatabase } from '../fixtures/postgres.ts'
import { openPrepared } from '../fixtures/prepared-database.ts'
import type { Database } from './database.ts'
import { openEmbedded } from './embedded.ts'
import { migrate, planMigration, schemaVersion } from './migrate.ts'
import { migrations, SCHEMA_VERSION } from './migrations/index.ts'
import { openPostgres } from './postgres.ts'

const databases: { close(): Promise<void> }[] = []
const folders: string[] = []
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-cloud-'))
  folders.push(folder)
  return folder
}
const closeLater = <T extends Database>(database: T): T => {
  databases.push(database)
  return database
}
/** Opens a database that has all tables. */
const openMigrated = async (): Promise<Database> => closeLater(await openPrepared(await newFolder()))
afterEach(async () => {
  for (const openDatabase of databases.splice(0)) await openDatabase.close()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

test('the embedded database keeps tables over a restart, and migrates them once', async () => {
  const folder = await newFolder()
  const database = closeLater(await openEmbedded(folder))
  expect(await schemaVersion(database)).toBe(0)
  await migrate(database)
  await database.run('INSERT INTO vid.accounts (id, webhook_secret, max_upload_bytes) VALUES ($1, $2, $3)', [
    'user_1',
    's',
    5_000_000_000,
  ])
  await database.close()
  databases.length = 0
  const again = closeLater(await openEmbedded(folder))
  await migrate(again)
  expect(await schemaVersion(again)).toBe(SCHEMA_VERSION)
  const rows = await again.rows('SELECT id, max_upload_bytes, created_at FROM vid.accounts')
  expect(rows).toEqual([{ id: 'user_1', max_upload_bytes: 5_000_000_000, created_at: expect.any(Date) }])
})

test('pages of tables from before there was a choice play', async () => {
  const database = await openMigrated()
  await database.script(
    `DROP SCHEMA vid CASCADE; CREATE SCHEMA vid; CREATE TABLE vid.schema_version (version integer NOT NULL);
     INSERT INTO vid.schema_version VALUES (2); ${migrations
       .slice(0, 2)
       .map(({ sql }) => sql)
       .join('\n')}
     INSERT INTO vid.accounts (id, webhook_secret) VALUES ('user_1', 's');
     INSERT INTO vid.renders (id, account_id, request, asset_id, project_digest, project_key)
     VALUES ('render_1', 'user_1', '{}', 'asset_1', 'digest', 'key')`,
  )
  await database.run(
    `INSERT INTO vid.publications (id, token, account_id, render_id, title) VALUES ('pub_1', 't', $1, $2, '')`,
    ['user_1', 'render_1'],
  )
  await migrate(database)
  expect(await database.rows('SELECT id, play FROM vid.publications')).toEqual([{ id: 'pub_1', play: true }])
})

test('tables of a newer version are refused, and left alone', async () => {
  const database = await openMigrated()
  await database.run(`UPDATE vid.schema_version SET version = 99, usable_from = 98, made_by = '7.1.0'`)
  for (const look of [migrate, planMigration])
    await expect(look(database)).rejects.toMatchObject({
      code: 'VID_CLOUD_SCHEMA_NEWER',
      facts: { found: 99, known: SCHEMA_VERSION },
      hint: expect.stringContaining('7.1.0'),
    })
  expect(await schemaVersion(database)).toBe(99)
})

test('tables of a newer version that this one can use are used as they are', async () => {
  const database = await openMigrated()
  await database.run('UPDATE vid.schema_version SET version = 99, usable_from = $1', [SCHEMA_VERSION])
  await migrate(database)
  expect(await schemaVersion(database)).toBe(99)
  expect(await planMigration(database)).toEqual({ from: 99, to: 99, steps: [] })
})

test.runIf(canHavePostgres)(
  'indexes are built while a Postgres is in use, by one of several processes, and one half built is built again',
  async () => {
    const url = await postgresDatabase()
    const [database, ...others] = (await Promise.all([1, 2, 3].map(() => openPostgres(url)))).map(closeLater)
    if (!database) throw new Error('no database')
    const from = migrations.findIndex(({ name }) => name === 'indexes of ended renders')
    await migrate(database, from)
    const { steps } = await planMigration(database)
    expect(steps.map(({ isBuiltInUse }) => isBuiltInUse)).toEqual([true, false, true])
    await database.script('CREATE INDEX usage_ended ON vid.usage (ended_at)')
    await database.run(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'vid.usage_ended'::regclass`)
    await Promise.all([database, ...others].map((each) => migrate(each)))
    expect(await schemaVersion(database)).toBe(SCHEMA_VERSION)
    const invalid = await database.rows(`SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid`)
    expect(invalid).toEqual([])
  },
)

test.runIf(canHavePostgres)('a pooler that loses or shares prepared statements fails no transaction', async () => {
  const url = await postgresDatabase()
  const text = 'SELECT $1::text AS value'
  const ask = (database: Database) => database.transaction((sql) => sql.prepared(text, ['a']))
  const names = (database: Database) => database.rows<{ name: string }>('SELECT name FROM pg_prepared_statements')
  const losing = closeLater(await openPostgres(url, { connections: 1 }))
  expect(await ask(losing)).toEqual([{ value: 'a' }])
  const [statement] = await names(losing)
  await losing.script('DEALLOCATE ALL')
  expect(await ask(losing)).toEqual([{ value: 'a' }])
  expect(await names(losing)).toEqual([])
  const sharing = closeLater(await openPostgres(url, { connections: 1 }))
  await sharing.script(`PREPARE ${statement?.name} AS ${text}`)
  expect(await ask(sharing)).toEqual([{ value: 'a' }])
})

test('a transaction that fails leaves nothing', async () => {
  const database = await openMigrated()
  const failing = database.transaction(async (sql) => {
    await sql.run(`INSERT INTO vid.settings (key, value) VALUES ('x', '1')`)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await database.rows(`SELECT 1 FROM vid.settings WHERE key = 'x'`)).toEqual([])
})

test('a folder is used by one process at a time', async () => {
  const folder = await newFolder()
  closeLater(await openPrepared(folder))
  await expect(openEmbedded(folder)).rejects.toMatchObject({ code: 'VID_CLOUD_STATE_LOCKED' })
})
