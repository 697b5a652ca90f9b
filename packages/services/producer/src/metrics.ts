import { readFile } from 'node:fs/promises'
import type { ProducerStatus } from '@vid/client/contract'
import { processesBelow } from '@vid/system'

/** Memory of this process and all its descendants in bytes; only of this process if /proc is missing. */
const memoryOfTree = async (): Promise<number> => {
  const children = await processesBelow(process.pid)
  const bytes = await Promise.all(
    children.map(async ({ pid }) => {
      const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      return Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0) * 1024
    }),
  )
  return bytes.reduce((sum, size) => sum + size, process.memoryUsage.rss())
}

/** The metrics of a render server. */
export interface Metrics {
  /** Counts newly rendered frames. */
  frames(count: number): void
  /** Records an ended request, and the seconds since it started. */
  ended(status: ProducerStatus, seconds: number): void
  /** All metrics in the Prometheus text format. */
  text(): Promise<{ readonly type: string; readonly body: string }>
}

/** Creates the metrics of a server; `now` returns its current state. */
export const createProducerMetrics = async (
  now: () => { readonly active: number; readonly waiting: number },
): Promise<Metrics> => {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read())
      },
    })
  gauge('vid_requests_queued', 'Requests that wait.', () => now().waiting)
  gauge('vid_requests_running', 'Requests that are rendered.', () => now().active)
  gauge('vid_memory_bytes', 'Memory of the server, its browsers and encoders.', memoryOfTree)
  gauge('vid_uptime_seconds', 'Seconds since the start.', () => process.uptime())
  const ends = new Counter({
    name: 'vid_requests_total',
    help: 'Requests that have ended, by their state.',
    registers,
    labelNames: ['state'],
  })
  for (const state of ['completed', 'failed', 'cancelled']) ends.inc({ state }, 0)
  const seconds = new Histogram({
    name: 'vid_render_seconds',
    help: 'Seconds of a render, without its waiting.',
    registers,
    buckets: [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600],
  })
  const frames = new Counter({ name: 'vid_frames_total', help: 'Frames that were rendered.', registers })
  let recent = { frames: 0, ms: performance.now() }
  let rate = 0
  gauge('vid_frames_per_second', 'Frames a second since the metrics were last read.', () => rate)
  let total = 0
  return {
    frames(count) {
      if (count <= 0) return
      total += count
      frames.inc(count)
    },
    ended(status, duration) {
      ends.inc({ state: status })
      if (status === 'completed') seconds.observe(duration)
    },
    async text() {
      const ms = performance.now()
      rate = ms > recent.ms ? ((total - recent.frames) * 1000) / (ms - recent.ms) : 0
      recent = { frames: total, ms }
      return { type: registry.contentType, body: await registry.metrics() }
    },
  }
}
