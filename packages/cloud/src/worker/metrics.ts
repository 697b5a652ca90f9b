import type { CloudStatus } from '@vid/kernel'
import type { Registry } from 'prom-client'
import type { WorkParts } from './parts.ts'

/** Figures that are counted over whole tables. */
interface Totals {
  readonly jobs: Readonly<Record<string, number>>
  readonly renders: Readonly<Record<string, number>>
  readonly renderedSeconds: number
}

/** How old these figures may be, in seconds: counting a million rows takes a second. */
const TOTALS_SECONDS = 30

const countTotals = async ({ database, queue }: MetricParts): Promise<Totals> => {
  const rows = await database.rows<{ status: CloudStatus; count: number }>(
    'SELECT status, count(*) AS count FROM vid.renders WHERE deleted_at IS NULL AND shapes IS NULL GROUP BY status',
  )
  const [usage] = await database.rows<{ seconds: number | null }>(
    'SELECT sum(rendered_seconds) AS seconds FROM vid.usage',
  )
  const none = { queued: 0, rendering: 0, completed: 0, failed: 0 }
  return {
    jobs: { ...(await queue.depth()) },
    renders: { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) },
    renderedSeconds: usage?.seconds ?? 0,
  }
}

/**
 * Reads the totals, which one of all processes counts when they are too old: the one that claims it. The others answer
 * with what was counted last.
 */
const readTotals = async (parts: MetricParts): Promise<Totals> => {
  const { database } = parts
  const [claim] = await database.rows(
    `INSERT INTO vid.settings AS s (key, value) VALUES ('totals_at', to_jsonb(extract(epoch FROM now())))
     ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value
       WHERE (s.value #>> '{}')::float8 <= extract(epoch FROM now())::float8 - $1::float8
     RETURNING 1`,
    [parts.totalsSeconds ?? TOTALS_SECONDS],
  )
  const [last] = claim
    ? []
    : await database.rows<{ value: Totals }>(`SELECT value FROM vid.settings WHERE key = 'totals'`)
  if (last) return last.value
  const totals = await countTotals(parts)
  await database.run(
    `INSERT INTO vid.settings (key, value) VALUES ('totals', $1) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
    [JSON.stringify(totals)],
  )
  return totals
}

/** What metrics are read from. */
type MetricParts = Pick<WorkParts, 'database' | 'queue'> & {
  /** How old totals may be. */
  readonly totalsSeconds?: number | undefined
}

/** Adds metrics of the queue and of all workers; the same in every process. */
export const addWorkMetrics = async (registry: Registry, parts: MetricParts): Promise<void> => {
  const { database } = parts
  let reading: Promise<Totals> | undefined
  /** The totals of one collection, which reads all metrics at once. */
  const totals = (): Promise<Totals> => {
    reading ??= readTotals(parts).finally(() => {
      reading = undefined
    })
    return reading
  }
  const { Gauge } = await import('prom-client')
  const registers = [registry]
  const figures = (name: string, help: string, label: string, read: () => Promise<Readonly<Record<string, number>>>) =>
    new Gauge({
      name,
      help,
      registers,
      labelNames: [label],
      async collect() {
        for (const [value, count] of Object.entries(await read())) this.set({ [label]: value }, count)
      },
    })
  const figure = (name: string, help: string, query: string) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const [row] = await database.rows<{ value: number | null }>(query)
        this.set(row?.value ?? 0)
      },
    })
  figures(
    'vid_queue_jobs',
    'Jobs that wait for a worker or are worked on, at most half a minute ago.',
    'state',
    async () => (await totals()).jobs,
  )
  figures(
    'vid_renders',
    'Renders that are kept, by their state, at most half a minute ago.',
    'status',
    async () => (await totals()).renders,
  )
  new Gauge({
    name: 'vid_rendered_seconds',
    help: 'Seconds of video that were rendered, at most half a minute ago.',
    registers,
    async collect() {
      this.set((await totals()).renderedSeconds)
    },
  })
  figure(
    'vid_queue_oldest_seconds',
    'Age of the oldest render that waits.',
    `SELECT extract(epoch FROM now() - min(created_at))::float8 AS value FROM vid.renders
     WHERE status = 'queued' AND deleted_at IS NULL AND shapes IS NULL`,
  )
  const lately = `FROM vid.workers WHERE last_seen > now() - interval '20 seconds'`
  figure('vid_workers', 'Workers that were seen lately.', `SELECT count(*) AS value ${lately}`)
  figure('vid_worker_slots', 'Jobs that these workers do at once.', `SELECT sum(slots)::int AS value ${lately}`)
}
