import type { CloudStatus } from '@vid/kernel'
import type { Registry } from 'prom-client'
import type { WorkParts } from './parts.ts'

/** Adds metrics of the queue and of all workers; the same in every process. */
export const addWorkMetrics = async (
  registry: Registry,
  { database, queue }: Pick<WorkParts, 'database' | 'queue'>,
): Promise<void> => {
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
  figures('vid_queue_jobs', 'Jobs that wait for a worker or are worked on.', 'state', async () => ({
    ...(await queue.depth()),
  }))
  figures('vid_renders', 'Renders that are kept, by their state.', 'status', async () => {
    const rows = await database.rows<{ status: CloudStatus; count: number }>(
      'SELECT status, count(*) AS count FROM vid.renders WHERE deleted_at IS NULL AND shapes IS NULL GROUP BY status',
    )
    const none = { queued: 0, rendering: 0, completed: 0, failed: 0 }
    return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) }
  })
  figure(
    'vid_rendered_seconds',
    'Seconds of video that were rendered.',
    'SELECT sum(rendered_seconds) AS value FROM vid.usage',
  )
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
