import type PgBoss from 'pg-boss'
import type { Database, Sql } from '../database/database.ts'

/** Queue of renders and their parts. */
export const RENDERS = 'renders'
/** Dead-letter queue: jobs that failed too often, whose renders fail. */
export const DEAD = 'renders-dead'

/** Schema of the queue's tables. */
export const QUEUE_SCHEMA = 'vid_queue'

/** How often a job is retried after its worker ends or its machine fails. */
export const RETRY_LIMIT = 3

/** Runs pg-boss's statements, also inside our transactions. */
export const bossDb = (sql: Sql): PgBoss.Db => ({
  executeSql: async (text, values = []) =>
    sql.run(
      text,
      (values as unknown[]).map((value) => value ?? null),
    ),
})

const WHOLE = /^\s*BEGIN;([\s\S]*)COMMIT;\s*$/

/** The same for a whole database: if a transaction that pg-boss sends as one text fails, it is rolled back. */
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

/** Number of the advisory lock that guards the creation of the queue's tables; an arbitrary constant. */
const LOCK = 7_236_418_252

/** Runs work under the lock; the embedded database has no other process. */
const alone = (database: Database, work: () => Promise<void>): Promise<void> =>
  database.kind === 'embedded'
    ? work()
    : database.transaction(async (sql) => {
        await sql.run('SELECT pg_advisory_xact_lock($1)', [LOCK])
        await work()
      })

/** How long a job may run before another worker gets it, in seconds; below pg-boss's limit of a day. */
const MAX_EXPIRE_SECONDS = 86_000

/** Opens the queue on a database; creates its tables once. */
export const openBoss = async (
  database: Database,
  options: {
    /** Timeout of the longest job; if left out, the existing queue stays as it is. */
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
      // A last resort: the supervisor detects workers that end, and running workers end their own jobs.
      expireInSeconds: Math.min(MAX_EXPIRE_SECONDS, Math.ceil(timeoutMs / 1000) + 300),
    }
    await boss.createQueue(RENDERS, renders)
    await boss.updateQueue(RENDERS, renders)
  })
  return boss
}
