import { ProducerQueueSchema } from '@vid/client/contract'
import { Type } from '@vid/protocol'
import type { ProducerParts } from './parts.ts'

const HealthSchema = Type.Object({
  status: Type.Literal('ok'),
  /** Seconds since the server started. */
  uptime: Type.Number({ minimum: 0 }),
  /** ISO 8601. */
  timestamp: Type.String(),
})

/** Adds the status routes for load balancers, clients and operators. */
export const addStatusRoutes = ({ app, service, metrics, settings }: ProducerParts): void => {
  app.get(
    '/health',
    {
      config: { public: true },
      schema: {
        operationId: 'getHealth',
        summary: 'Whether the server answers',
        tags: ['server'],
        response: { 200: HealthSchema },
      },
    },
    async () => ({
      status: 'ok' as const,
      uptime: process.uptime(),
      timestamp: new Date().toISOString(),
    }),
  )
  app.get(
    '/render/queue',
    {
      schema: {
        operationId: 'getQueue',
        summary: 'The number of running and waiting requests',
        tags: ['server'],
        response: { 200: ProducerQueueSchema },
      },
    },
    async () => ({
      maxConcurrentRenders: settings.maxConcurrentRenders,
      activeRenders: service.slots.active(),
      queuedRenders: service.slots.waiting(),
    }),
  )
  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'getMetrics',
        summary: 'Metrics in the Prometheus text format',
        tags: ['server'],
        response: { 200: { content: { 'text/plain': { schema: Type.String() } } } },
      },
    },
    async (_request, reply) => {
      const { type, body } = await metrics.text()
      return reply.type(type).serializer(String).send(body)
    },
  )
}
