import { expect, test } from 'vitest'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { migrations } from '../database/migrations/index.ts'
import { openPostgres } from '../database/postgres.ts'
import { canHavePostgres, postgresDatabase } from '../fixtures/postgres.ts'
import { openBoss, RENDERS } from './boss.ts'
import { openQueue } from './queue.ts'

const JOBS = 2500
const onError = (thrown: unknown) => {
  throw thrown
}

/** The tables as they were before waiting jobs were noted, with jobs of that time. */
const openEarlier = async (database: Database) => {
  await migrate(
    database,
    migrations.findIndex(({ name }) => name === 'waiting jobs'),
  )
  await (await openBoss(database, { timeoutMs: 60_000, onError })).stop({ graceful: false, close: false })
  await database.script(
    `INSERT INTO vid.accounts (id, webhook_secret) SELECT 'user_' || n, 'secret' FROM generate_series(1, 5) AS n;
     INSERT INTO vid.renders (id, account_id, request, asset_id, project_digest, project_key)
       SELECT 'render_' || n, 'user_' || (1 + n % 5), '{}', 'asset', 'digest', 'key' FROM generate_series(1, ${JOBS}) AS n;
     INSERT INTO vid_queue.job (name, data, start_after)
       SELECT '${RENDERS}', jsonb_build_object('kind', 'render', 'renderId', id), now() - interval '1 second'
       FROM vid.renders`,
  )
}

test.runIf(canHavePostgres)(
  'jobs of an earlier version are noted while others take and add some, also after a process that ended half way',
  async () => {
    const url = await postgresDatabase()
    const databases = await Promise.all([1, 2].map(() => openPostgres(url)))
    const [database, other] = databases as [Database, Database]
    try {
      await openEarlier(database)
      await migrate(database)
      // A process ended after the first change of the tables.
      await (await openQueue(database, { onError })).close()
      await database.script(`DELETE FROM vid.settings WHERE key = 'waiting_jobs_noted';
        DELETE FROM vid.waiting_jobs; DELETE FROM vid.waiting_accounts`)
      const earlier = async () => {
        for (let turn = 0; turn < 50; turn += 1) {
          await other.run(
            `UPDATE vid_queue.job SET state = 'active', started_on = now() WHERE id = (
               SELECT id FROM vid_queue.job WHERE name = $1 AND state < 'active' ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED)`,
            [RENDERS],
          )
          await other.run(
            `INSERT INTO vid_queue.job (name, data, start_after)
             VALUES ($1, jsonb_build_object('kind', 'render', 'renderId', $2::text), now() - interval '1 second')`,
            [RENDERS, `render_${turn + 1}`],
          )
        }
      }
      const [queue] = await Promise.all([openQueue(database, { onError }), earlier()])
      const differences = await database.rows(
        `SELECT j.id, w.job_id FROM (SELECT id FROM vid_queue.job WHERE name = $1 AND state < 'active') AS j
         FULL JOIN vid.waiting_jobs AS w ON w.job_id = j.id WHERE j.id IS NULL OR w.job_id IS NULL`,
        [RENDERS],
      )
      expect(differences).toEqual([])
      expect(await database.rows('SELECT 1 FROM vid.waiting_jobs')).toHaveLength(JOBS)
      expect(await database.rows('SELECT 1 FROM vid.waiting_accounts')).toHaveLength(5)
      await queue.close()
    } finally {
      for (const each of databases) await each.close()
    }
  },
)
