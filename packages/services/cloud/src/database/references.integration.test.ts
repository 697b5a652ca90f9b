import { expect, test } from 'vitest'
import { fullDatabase } from '../fixtures/full-database.ts'

/** Tables that stay small however much is rendered. */
const SMALL = ['job_faults', 'schema_version', 'settings', 'stream_holders', 'worker_jobs', 'workers']

test('a row is removed without reading the tables that refer to it', async () => {
  const database = await fullDatabase()
  const { rows } = await database.query<{ reference: string }>(
    `SELECT c.conrelid::regclass || ' ' || pg_get_constraintdef(c.oid) AS reference FROM pg_constraint AS c
     WHERE c.contype = 'f' AND c.connamespace = 'vid'::regnamespace AND NOT EXISTS (
       SELECT 1 FROM pg_index AS i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1] AND i.indpred IS NULL)
       -- Nothing removes accounts.
       AND c.confrelid <> 'vid.accounts'::regclass`,
  )
  expect(rows.map(({ reference }) => reference)).toEqual([])
})

test('every table that grows has rows in the database on which plans are looked at', async () => {
  const database = await fullDatabase()
  const { rows } = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'vid'::regnamespace AND relkind = 'r' AND reltuples < 1000 ORDER BY relname`,
  )
  expect(rows.map(({ name }) => name)).toEqual(SMALL)
})
