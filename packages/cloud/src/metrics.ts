import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'

/** What operators see of one process. */
export interface Metrics {
  /** Where other rooms add their own figures. */
  readonly registry: Registry
  /** A render was accepted. */
  accepted(): void
  /** An asset was made of a zip of so many bytes. */
  uploaded(bytes: number): void
  /** Everything in the text format of Prometheus. */
  text(): Promise<{ readonly type: string; readonly body: string }>
}

/** Counts what a process does. */
export const createMetrics = async (): Promise<Metrics> => {
  const { Counter, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  const accepted = new Counter({
    name: 'vid_renders_accepted_total',
    help: 'Renders that this process has accepted.',
    registers,
  })
  const assets = new Counter({
    name: 'vid_assets_total',
    help: 'Zips that this process has received.',
    registers,
  })
  const bytes = new Counter({
    name: 'vid_asset_bytes_total',
    help: 'Bytes of these zips, packed again.',
    registers,
  })
  new Gauge({
    name: 'vid_uptime_seconds',
    help: 'Seconds since the start.',
    registers,
    collect() {
      this.set(process.uptime())
    },
  })
  return {
    registry,
    accepted: () => accepted.inc(),
    uploaded(count) {
      assets.inc()
      bytes.inc(count)
    },
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  }
}

/** Counts the requests of a server by their route, and how long they take. */
export const countRequests = async (app: FastifyInstance, { registry }: Metrics): Promise<void> => {
  const { Histogram } = await import('prom-client')
  const seconds = new Histogram({
    name: 'vid_http_seconds',
    help: 'Seconds from a request to the end of its reply.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  })
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    // The pattern: addresses hold ids and signatures.
    const route = routeOptions.url ?? 'unknown'
    seconds.observe({ method, route, status: String(statusCode) }, elapsedTime / 1000)
  })
}
