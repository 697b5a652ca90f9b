// Takes jobs from a queue with a long backlog on a real Postgres, and measures what that costs: npm run lab -- cloud-backlog.
import { readFileSync } from 'node:fs'
import { register } from 'node:module'
import { parseArgs } from 'node:util'
import { startPostgres } from './postgres.mjs'

// Node removes types by itself from version 22.18 on.
if (!process.features.typescript) register('../../../../scripts/dev/typescript-hooks.mjs', import.meta.url)

const { values: flags } = parseArgs({
  options: {
    jobs: { type: 'string', default: '100000,1000000' },
    accounts: { type: 'string', default: '1000' },
    workers: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '6' },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  console.log(`npm run lab -- cloud-backlog [--jobs 100000,1000000] [--accounts 1000] [--workers 50] [--seconds 20] [--rounds 6]

For each number of waiting jobs: the processor time of Postgres for accepting, taking and ending one job, with one worker that
does nothing else. Then as many workers as --workers, each with a connection, take and end jobs as fast as they can for --seconds:
how many they start in a second. The workers run in this process, so its processor time counts as well.`)
  process.exit()
}
const [accounts, workers, seconds, rounds] = ['accounts', 'workers', 'seconds', 'rounds'].map((name) =>
  Number(flags[name]),
)
const { migrate } = await import('../src/database/migrate.ts')
const { openPostgres } = await import('../src/database/postgres.ts')
const { enterQueue, releaseJobs } = await import('../src/queue/fairness.ts')
const { openQueue } = await import('../src/queue/queue.ts')
const { register: registerWorker } = await import('../src/worker/lease.ts')
const { takeJobs } = await import('../src/worker/take-jobs.ts')

/** Renders of many accounts that wait, each with the job that plans it, as after the same number of submissions. */
const seed = (jobs) => `
  INSERT INTO vid.accounts (id, webhook_secret) SELECT 'user_' || n, 'secret' FROM generate_series(1, ${accounts}) AS n;
  INSERT INTO vid.renders (id, account_id, request, asset_id, project_digest, project_key)
    SELECT 'render_' || n, 'user_' || (1 + n % ${accounts}), '{"resolution": "1080p", "format": "mp4"}', 'asset_' || n,
      'digest', 'assets/' || n || '.zip' FROM generate_series(1, ${jobs}) AS n;
  INSERT INTO vid_queue.job (name, data, start_after)
    SELECT 'renders', jsonb_build_object('kind', 'render', 'renderId', id, 'cost', 10), now() - interval '1 second'
    FROM vid.renders ORDER BY sequence;`

/** Processor time of a process of Postgres, in milliseconds. */
const processorMs = (pid) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

const onError = (thrown) => {
  throw thrown
}

/** Ends a job as a worker does. */
const endJob = ({ database, queue }, jobId) =>
  database.transaction(async (sql) => {
    await queue.complete(sql, jobId)
    await releaseJobs(sql, [jobId])
  })

/** Processor time of Postgres for one call, on average, in milliseconds. */
const costOf = async (pid, count, call) => {
  const startMs = processorMs(pid)
  for (let index = 0; index < count; index += 1) await call(index)
  return (processorMs(pid) - startMs) / count
}

const measureCosts = async (url) => {
  const whole = await openPostgres(url)
  const queue = await openQueue(whole, { onError })
  const database = await openPostgres(url, { connections: 1 })
  const [{ pid }] = await database.rows('SELECT pg_backend_pid() AS pid')
  const parts = { database, queue }
  const workerId = await registerWorker(parts, { slots: workers, version: '0' })
  const costs = { nothing: 0, accept: 0, take: 0, end: 0 }
  // The first round fills the caches of the connection, which a worker keeps.
  for (let round = 0; round <= rounds; round += 1) {
    if (round === 1) for (const name of Object.keys(costs)) costs[name] = 0
    const takenIds = []
    costs.nothing += await costOf(pid, workers, () => database.run('SELECT 1'))
    costs.accept += await costOf(pid, workers, (index) =>
      database.transaction((sql) => enterQueue(sql, `user_${1 + (index % accounts)}`, '')),
    )
    costs.take += await costOf(pid, workers, async () => {
      const [taken] = (await takeJobs(parts, workerId, 1)) ?? []
      takenIds.push(taken.job.id)
    })
    costs.end += await costOf(pid, workers, (index) => endJob(parts, takenIds[index]))
  }
  await database.run('DELETE FROM vid.workers WHERE id = $1', [workerId])
  await queue.close()
  await database.close()
  await whole.close()
  return Object.fromEntries(Object.entries(costs).map(([name, ms]) => [name, ms / rounds]))
}

/** Starts of all workers in a second, and whether any job was started twice. */
const measureStarts = async (url) => {
  const database = await openPostgres(url, { connections: workers })
  const queue = await openQueue(database, { onError })
  const parts = { database, queue }
  const startedIds = new Set()
  let starts = 0
  const endMs = performance.now() + seconds * 1000
  const work = async () => {
    const workerId = await registerWorker(parts, { slots: 1, version: '0' })
    while (performance.now() < endMs) {
      const [taken] = (await takeJobs(parts, workerId, 1)) ?? []
      if (!taken) throw new Error('no job was left')
      starts += 1
      startedIds.add(taken.job.id)
      await endJob(parts, taken.job.id)
    }
  }
  const before = process.cpuUsage()
  await Promise.all(Array.from({ length: workers }, work))
  const { user, system } = process.cpuUsage(before)
  await queue.close()
  await database.close()
  return { rate: starts / seconds, twice: starts - startedIds.size, clientMs: (user + system) / 1000 / starts }
}

let twice = 0
for (const jobs of flags.jobs.split(',').map(Number)) {
  const postgres = await startPostgres()
  try {
    const database = await openPostgres(postgres.url)
    await migrate(database)
    await (await openQueue(database, { timeoutMs: 60_000, onError })).close()
    await database.script(seed(jobs))
    await database.script('VACUUM ANALYZE')
    await database.close()
    const costs = await measureCosts(postgres.url)
    const text = Object.entries(costs).map(([name, ms]) => `${name} ${ms.toFixed(2)} ms`)
    console.log(`${jobs} jobs of ${accounts} accounts: processor time of Postgres: ${text.join(', ')}`)
    const starts = await measureStarts(postgres.url)
    twice += starts.twice
    console.log(
      `${jobs} jobs, ${workers} workers: ${starts.rate.toFixed(0)} starts a second, ${starts.twice} twice; ${starts.clientMs.toFixed(2)} ms of the workers for each`,
    )
  } finally {
    await postgres.close()
  }
}
process.exitCode = twice > 0 ? 1 : 0
