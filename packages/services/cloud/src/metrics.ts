import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'

/** The metrics of one process. */
export interface CloudMetrics {
  /** Registry for the metrics of other rooms. */
  readonly registry: Registry
  /** Counts an accepted render. */
  accepted(): void
  /** Counts an asset created from a zip of this many bytes. */
  uploaded(bytes: number): void
  /** All metrics in the Prometheus text format. */
  text(): Promise<{ readonly type: string; readonly body: string }>
}

/** Creates the metrics of a process. */
export const createCloudMetrics = async (): Promise<CloudMetrics> => {
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

/** Counts the requests of a server by route and records their duration. */
export const countRequests = async (app: FastifyInstance, { registry }: CloudMetrics): Promise<void> => {
  const { Histogram } = await import('prom-client')
  const seconds = new Histogram({
    name: 'vid_http_seconds',
    help: 'Seconds from a request to the end of its reply.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  })
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    // The route pattern, because addresses contain ids and signatures.
    const route = routeOptions.url ?? 'unknown'
    seconds.observe({ method, route, status: String(statusCode) }, elapsedTime / 1000)
  })
}
