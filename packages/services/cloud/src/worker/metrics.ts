import type { Registry } from 'prom-client'
import { type MetricParts, readTotals, type Totals } from './totals.ts'

/** Reads the totals once for a collection, which reads all metrics at the same time. */
const shareTotals = (parts: MetricParts): (() => Promise<Totals>) => {
  let reading: Promise<Totals> | undefined
  return () => {
    reading ??= readTotals(parts).finally(() => {
      reading = undefined
    })
    return reading
  }
}

/** Adds metrics of the queue and of all workers; the same in every process. */
export const addWorkMetrics = async (registry: Registry, parts: MetricParts): Promise<void> => {
  const { database } = parts
  const totals = shareTotals(parts)
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
