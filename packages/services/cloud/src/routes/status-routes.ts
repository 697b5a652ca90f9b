import { createHash, timingSafeEqual } from 'node:crypto'
import { Type } from '@vid/protocol'
import { bearerToken, failHttp, isLoopback } from '@vid/server'
import { fail } from '../errors.ts'
import { pageRoute } from '../pages/page-route.ts'
import { ERRORS_PATH } from './api-errors.ts'
import { errorPage } from './error-page.ts'
import type { CloudParts } from './parts.ts'
import { notReady, PROBE } from './write-probe.ts'

/** How long a readiness result is cached, in milliseconds: anybody may ask. */
const READY_MS = 1000

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const StatusSchema = Type.Object({ status: Type.Literal('ok') })

const described = (operationId: string, summary: string) => ({ operationId, summary, tags: ['server'] })

const addHealth = ({ app }: CloudParts): void => {
  app.get(
    '/health',
    {
      config: { public: true },
      schema: { ...described('getHealth', 'Whether the process answers'), response: { 200: StatusSchema } },
    },
    async () => ({ status: 'ok' as const }),
  )
}

const addReady = (parts: CloudParts): void => {
  const { app, database, storage, stopping } = parts
  let last: { readonly ms: number; readonly found: Promise<unknown> } | undefined
  const probe = async () => {
    await database.rows('SELECT 1')
    await storage.size(PROBE).catch((thrown: unknown) => {
      throw notReady('storage', thrown)
    })
    await parts.proveWritable()
    const part = parts.workerProblem()
    if (part !== undefined) throw notReady(part, 'a trial of the worker failed')
  }
  app.get(
    '/ready',
    {
      config: { public: true },
      schema: {
        ...described('getReady', 'Whether the server takes work: it is not stopping, and can write what it must keep'),
        response: { 200: StatusSchema },
      },
    },
    async () => {
      if (stopping.aborted) throw failHttp('VID_SERVER_STOPPING', {})
      if (!last || Date.now() - last.ms > READY_MS) last = { ms: Date.now(), found: probe() }
      await last.found
      return { status: 'ok' as const }
    },
  )
}

const addMetrics = ({ app, settings, metrics, publicUrl }: CloudParts): void => {
  app.get(
    '/metrics',
    {
      config: { public: true },
      schema: {
        ...described('getMetrics', 'Figures for the operator, in the text format of Prometheus'),
        response: { 200: { content: { 'text/plain': { schema: Type.String() } } } },
      },
    },
    async ({ headers }, reply) => {
      const { metricsToken: expectedToken } = settings
      if (expectedToken === undefined) {
        if (!isLoopback(new URL(publicUrl()).hostname)) throw fail('VID_CLOUD_METRICS_CLOSED', {})
      } else if (!timingSafeEqual(digest(bearerToken(headers.authorization) ?? ''), digest(expectedToken)))
        throw failHttp('VID_HTTP_UNAUTHORIZED', {})
      const { type, body } = await metrics.text()
      return reply.type(type).serializer(String).send(body)
    },
  )
}

const addErrorPage = ({ app }: CloudParts): void => {
  app.get(
    ERRORS_PATH,
    {
      config: { public: true },
      schema: {
        ...described('getErrorPage', 'What the codes of errors mean'),
        response: { 200: { content: { 'text/html': { schema: Type.String() } } } },
      },
    },
    async (_request, reply) =>
      reply
        .headers({ 'content-security-policy': "default-src 'none'", 'cache-control': 'public, max-age=3600' })
        .type('text/html; charset=utf-8')
        .serializer(String)
        .send(errorPage()),
  )
}

/** Answers browsers that ask for the icon of a page: there is none. */
const addIcon = ({ app }: CloudParts): void => {
  app.get('/favicon.ico', pageRoute, async (_request, reply) =>
    reply.code(204).header('cache-control', 'public, max-age=86400').send(),
  )
}

/** Adds the status routes for load balancers and operators. */
export const addMonitoringRoutes = (parts: CloudParts): void => {
  for (const add of [addHealth, addReady, addMetrics, addErrorPage, addIcon]) add(parts)
}
