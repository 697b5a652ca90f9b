import type { CloudStatus } from '@vid/kernel'
import type { Registry } from 'prom-client'
import type { WorkParts } from './parts.ts'

/** Adds what operators see of the queue and of all workers; the same in every process. */
export const addWorkMetrics = async (
  registry: Registry,
  { database, queue }: Pick<WorkParts, 'database' | 'queue'>,
): Promise<void> => {
  const { Gauge } = await import('prom-client')
  const registers = [registry]
  new Gauge({
    name: 'vid_queue_jobs',
    help: 'Jobs that wait for a worker or are worked on.',
    registers,
    labelNames: ['state'],
    async collect() {
      for (const [state, jobs] of Object.entries(await queue.depth())) this.set({ state }, jobs)
    },
  })
  new Gauge({
    name: 'vid_renders',
    help: 'Renders that are kept, by their state.',
    registers,
    labelNames: ['status'],
    async collect() {
      const rows = await database.rows<{ status: CloudStatus; count: number }>(
        'SELECT status, count(*) AS count FROM vid.renders WHERE deleted_at IS NULL GROUP BY status',
      )
      for (const status of ['queued', 'rendering', 'completed', 'failed'] as const)
        this.set({ status }, rows.find((row) => row.status === status)?.count ?? 0)
    },
  })
  new Gauge({
    name: 'vid_rendered_seconds',
    help: 'Seconds of video that were rendered.',
    registers,
    async collect() {
      const [row] = await database.rows<{ seconds: number | null }>(
        'SELECT sum(rendered_seconds) AS seconds FROM vid.usage',
      )
      this.set(row?.seconds ?? 0)
    },
  })
  new Gauge({
    name: 'vid_queue_oldest_seconds',
    help: 'Age of the oldest render that waits.',
    registers,
    async collect() {
      const [row] = await database.rows<{ seconds: number | null }>(
        `SELECT extract(epoch FROM now() - min(created_at))::float8 AS seconds FROM vid.renders
         WHERE status = 'queued' AND deleted_at IS NULL`,
      )
      this.set(row?.seconds ?? 0)
    },
  })
  new Gauge({
    name: 'vid_workers',
    help: 'Workers that were seen lately.',
    registers,
    async collect() {
      const [row] = await database.rows<{ count: number }>(
        `SELECT count(*) AS count FROM vid.workers WHERE last_seen > now() - interval '20 seconds'`,
      )
      this.set(row?.count ?? 0)
    },
  })
  new Gauge({
    name: 'vid_worker_slots',
    help: 'Jobs that these workers do at once.',
    registers,
    async collect() {
      const [row] = await database.rows<{ slots: number | null }>(
        `SELECT sum(slots)::int AS slots FROM vid.workers WHERE last_seen > now() - interval '20 seconds'`,
      )
      this.set(row?.slots ?? 0)
    },
  })
}
