import { expect, test } from 'vitest'
import { databaseFolder } from '../../database/embedded.ts'
import { migrate } from '../../database/migrate.ts'
import { migrations, SCHEMA_VERSION } from '../../database/migrations/index.ts'
import { openPostgres } from '../../database/postgres.ts'
import { newFolder } from '../../fixtures/database.ts'
import { prepareDatabase } from '../../fixtures/database-template.ts'
import { canHavePostgres, postgresDatabase } from '../../fixtures/postgres.ts'
import { migrationText, runMigrate } from './run.ts'

test.runIf(canHavePostgres)('a Postgres is upgraded, and a dry run only says how', async () => {
  const url = await postgresDatabase()
  const database = await openPostgres(url)
  try {
    const from = SCHEMA_VERSION - 2
    await migrate(database, from)
    const run = { cwd: await newFolder(), env: { DATABASE_URL: url }, written: {} }
    const planned = await runMigrate(run, true)
    expect(planned).toMatchObject({ from, to: SCHEMA_VERSION, dry_run: true })
    expect(planned.steps.map(({ name }) => name)).toEqual(migrations.slice(from).map(({ name }) => name))
    expect(migrationText(planned)).toContain(`From version ${from} to ${SCHEMA_VERSION}, without a change so far:`)
    // It changed nothing, so the next one does the same.
    expect(await runMigrate(run, false)).toEqual({ ...planned, dry_run: false })
    const again = await runMigrate(run, false)
    expect(again.steps).toEqual([])
    expect(migrationText(again)).toBe(`The schema has version ${SCHEMA_VERSION}: nothing to do.`)
  } finally {
    await database.close()
  }
})

test('the folder of a server is upgraded, and a missing one is refused', async () => {
  const cwd = await newFolder()
  const run = { cwd, env: {}, written: { state: 'here' } }
  await expect(runMigrate(run, false)).rejects.toMatchObject({ code: 'VID_CLOUD_STATE_MISSING' })
  await prepareDatabase(databaseFolder(`${cwd}/here`))
  expect(await runMigrate(run, false)).toMatchObject({ from: SCHEMA_VERSION, steps: [], dry_run: false })
})
