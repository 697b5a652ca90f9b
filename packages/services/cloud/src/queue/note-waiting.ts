import type { Database, Sql } from '../database/database.ts'
import { QUEUE_SCHEMA, RENDERS } from './boss.ts'

const JOBS = `${QUEUE_SCHEMA}.job`
const TRIGGER = 'vid_note_waiting'

/** Setting that says that all waiting jobs are noted. */
const NOTED = 'waiting_jobs_noted'
/** Jobs that are noted at once. */
const BATCH = 1000

const hasTrigger = async (sql: Sql): Promise<boolean> =>
  (await sql.rows('SELECT 1 FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = $2', [JOBS, TRIGGER])).length > 0

/** Has the database note every change of the queue's table from now on, also those of pg-boss itself. */
const addTrigger = (database: Database): Promise<void> =>
  database.transaction(async (sql) => {
    await sql.run(`LOCK TABLE ${JOBS} IN SHARE ROW EXCLUSIVE MODE`)
    if (await hasTrigger(sql)) return
    await sql.run(
      `CREATE TRIGGER ${TRIGGER} AFTER INSERT OR UPDATE OR DELETE ON ${JOBS}
       FOR EACH ROW EXECUTE FUNCTION vid.note_waiting('${RENDERS}')`,
    )
  })

/** Notes the next jobs of those that waited before; resolves to the last of them, or undefined if none is left. */
const noteBatch = (database: Database, after: string | null): Promise<string | undefined> =>
  database.transaction(async (sql) => {
    const jobs = await sql.rows<{ id: string }>(
      `SELECT id FROM ${JOBS} WHERE name = $1 AND state < 'active' AND ($2::uuid IS NULL OR id > $2::uuid)
       ORDER BY id LIMIT ${BATCH} FOR UPDATE`,
      [RENDERS, after],
    )
    const ids = jobs.map(({ id }) => id)
    // Nobody changes these jobs any more: what was changed before the lock is seen here.
    await sql.run(
      `SELECT count(vid.add_waiting_job(id, data, created_on, start_after)) FROM ${JOBS}
       WHERE name = $1 AND id = ANY($2::uuid[]) AND state < 'active'
         AND NOT EXISTS (SELECT 1 FROM vid.waiting_jobs WHERE job_id = id)`,
      [RENDERS, ids],
    )
    return ids.at(-1)
  })

/** Has all waiting jobs noted in `vid.waiting_jobs`, now and after every change, while the queue is used. */
export const noteWaiting = async (database: Database): Promise<void> => {
  const settings = await database.rows('SELECT 1 FROM vid.settings WHERE key = $1', [NOTED])
  // A restored backup has the setting, for a queue that is no more.
  if (settings.length > 0 && (await hasTrigger(database))) return
  await addTrigger(database)
  for (let last = await noteBatch(database, null); last !== undefined; last = await noteBatch(database, last));
  await database.run(`INSERT INTO vid.settings (key, value) VALUES ($1, 'true') ON CONFLICT DO NOTHING`, [NOTED])
}
