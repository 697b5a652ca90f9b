import type PgBoss from 'pg-boss'
import type { Database, Sql } from '../database/database.ts'

/** The queue of renders and their parts. */
export const RENDERS = 'renders'
/** Jobs that failed too often: their renders have failed. */
export const DEAD = 'renders-dead'

/** Schema of the queue's tables. */
export const QUEUE_SCHEMA = 'vid_queue'

/** Times that a job is tried again, when its worker ends or its machine fails. */
export const RETRY_LIMIT = 3

/** Runs pg-boss's statements, also inside a transaction of ours. */
export const bossDb = (sql: Sql): PgBoss.Db => ({
  executeSql: async (text, values = []) =>
    sql.run(
      text,
      (values as unknown[]).map((value) => value ?? null),
    ),
})

const WHOLE = /^\s*BEGIN;([\s\S]*)COMMIT;\s*$/

/** The same for a whole database: a transaction that pg-boss writes as one text must not stay open when it fails. */
const wholeDb = (database: Database): PgBoss.Db => {
  const single = bossDb(database)
  return {
    async executeSql(text, values) {
      const [, inside] = WHOLE.exec(text) ?? []
      if (inside === undefined) return single.executeSql(text, values)
      return database.transaction((sql) => sql.run(inside))
    },
  }
}

/** Number of the lock that only one process holds that makes the queue's tables; any constant. */
const LOCK = 7_236_418_252

/** Runs work while no other process does; in the embedded database there is no other one. */
const alone = (database: Database, work: () => Promise<void>): Promise<void> =>
  database.kind === 'embedded'
    ? work()
    : database.transaction(async (sql) => {
        await sql.run('SELECT pg_advisory_xact_lock($1)', [LOCK])
        await work()
      })

/** How long a job may be worked on before it is given to another worker, in seconds, below pg-boss's limit of a day. */
const MAX_EXPIRE_SECONDS = 86_000

/** Opens the queue on a database; its tables are made once. */
export const openBoss = async (
  database: Database,
  options: {
    /** Of the longest job; left out, the queue stays as another process has made it. */
    readonly timeoutMs?: number | undefined
    onError(error: unknown): void
  },
): Promise<PgBoss> => {
  const { default: Boss } = await import('pg-boss')
  const boss = new Boss({ db: wholeDb(database), schema: QUEUE_SCHEMA, schedule: false })
  boss.on('error', options.onError)
  await alone(database, async () => {
    await boss.start()
    const { timeoutMs } = options
    if (timeoutMs === undefined) return
    await boss.createQueue(DEAD, { name: DEAD, retryLimit: 0 })
    const renders: PgBoss.Queue = {
      name: RENDERS,
      deadLetter: DEAD,
      retryLimit: RETRY_LIMIT,
      retryDelay: 1,
      retryBackoff: true,
      // The last resort: workers that end are noticed, and those that go on end the job themselves.
      expireInSeconds: Math.min(MAX_EXPIRE_SECONDS, Math.ceil(timeoutMs / 1000) + 300),
    }
    await boss.createQueue(RENDERS, renders)
    await boss.updateQueue(RENDERS, renders)
  })
  return boss
}
