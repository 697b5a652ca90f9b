import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describeCause } from '@vid/protocol'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import { refuseConnection } from './client-error.ts'
import { ErrorEnvelopeSchema } from './error-reply.ts'
import { failHttp } from './errors.ts'
import { guardRequests, replyHeaders } from './gate.ts'
import { readJsonBodies } from './json-body.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { loggerOptions, logWhenOver } from './log.ts'
import { nodeServer } from './node-server.ts'
import { describeRoutes } from './openapi.ts'
import type { ServerOptions } from './options.ts'
import { finishReplies, replyToError } from './replies.ts'
import { requestIdOf } from './request-id.ts'
import { createRouteTable } from './route-table.ts'
import { createRunning, type Running } from './running.ts'
import { type SchemaTypes, schemaCheck } from './schema-check.ts'
import { bindingProblem } from './tokens.ts'

/** The Fastify instance, with routes typed by their schemas. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, SchemaTypes>

/** The address of a listening server. */
export interface Listening {
  readonly port: number
  /** Such as `http://127.0.0.1:9847`, without a slash at the end. */
  readonly url: string
}

/** What a server does before it closes its connections. */
export interface DrainOptions {
  readonly work?: Promise<unknown>
  /** Time in which it goes on as before but for new work, in milliseconds, so that load balancers notice; 0 if left out. */
  readonly delayMs?: number
}

/** A server whose routes are still to be added to `app`. */
export interface VidServer {
  readonly app: App
  /** Aborts when draining begins, so that waiting requests can be refused. */
  readonly stopping: AbortSignal
  /** Handles requests that another server received; add all routes first. */
  listener(): Promise<RequestListener>
  /** Listens on the configured host; 0 for any free port. */
  listen(port: number): Promise<Listening>
  /**
   * Takes no new work, waits for `work` to settle and then for running requests, and closes every connection; until then,
   * other requests are answered. Resolves to whether all requests ended within `timeoutMs`, which begins at once.
   */
  drain(timeoutMs: number, options?: DrainOptions): Promise<boolean>
  /** Closes immediately, with every connection. */
  close(): Promise<void>
}

const DEFAULT_HOST = '127.0.0.1'
const CLOSING_MS = 1_000
const BEARER = { bearer: { type: 'http', scheme: 'bearer' } } as const

/** Creates the Fastify instance with our limits, request ids, log and error texts. */
const createApp = async (options: ServerOptions, limits: Limits): Promise<App> => {
  const { fastify, LogController } = await import('fastify')
  const errorFormat = options.errors ?? {}
  const app: App = fastify({
    serverFactory: (handler) =>
      nodeServer({
        limits,
        handler: (request, response) => (options.otherSite?.(request) ?? handler)(request, response),
        onBadRequest: (error, socket, pending) => {
          const code = 'code' in error ? String(error.code) : undefined
          const refusal = refuseConnection(socket, code, errorFormat, pending)
          if (refusal) app.log.info(refusal, 'connection refused')
        },
      }),
    genReqId: (request) => requestIdOf(request.headers),
    bodyLimit: limits.bodyBytes,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    forceCloseConnections: true,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 256 },
    logger: loggerOptions(options.log ?? {}),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    frameworkErrors: (error, request, reply) => {
      logWhenOver(request, reply.raw)
      reply.headers(replyHeaders(request.id))
      replyToError(error, request, reply, errorFormat)
    },
  }).withTypeProvider<SchemaTypes>()
  return app
}

const listenOn = async (app: App, host: string, port: number): Promise<Listening> => {
  try {
    await app.listen({ host: host.toLowerCase() === 'localhost' ? DEFAULT_HOST : host, port })
  } catch (cause) {
    throw failHttp('VID_SERVER_LISTEN', { host, port, reason: describeCause(cause) }, { cause })
  }
  const { port: bound } = app.server.address() as AddressInfo
  return { port: bound, url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` }
}

const drainApp = async (
  { app, stopping, running }: { readonly app: App; readonly stopping: AbortController; readonly running: Running },
  timeoutMs: number,
  { work, delayMs = 0 }: DrainOptions = {},
): Promise<boolean> => {
  stopping.abort()
  const endMs = performance.now() + timeoutMs
  const settled = Promise.allSettled([work])
  // A connection that was accepted just now is idle until its request has been read.
  if (delayMs > 0) await pause(delayMs)
  app.server.closeIdleConnections()
  await settled
  const isSettled = await running.settled(Math.max(0, endMs - performance.now()))
  await app.close()
  // Routes notice closed connections a moment later.
  await running.settled(CLOSING_MS)
  return isSettled
}

/** Creates a server without routes; fails if its address needs a token and none is set. */
export const createServer = async (options: ServerOptions): Promise<VidServer> => {
  const host = options.host ?? DEFAULT_HOST
  const { tokens, tokenSetting, authenticate } = options
  const problem = bindingProblem({ host, tokens, tokenSetting, authenticates: authenticate !== undefined })
  if (problem) throw problem
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits }
  const stopping = new AbortController()
  const routes = createRouteTable()
  const running = createRunning()

  const app = await createApp(options, limits)
  app.addHook('onRoute', (route) => routes.add(route))
  app.setValidatorCompiler(schemaCheck)
  readJsonBodies(app)
  guardRequests(app, { options: { ...options, host }, routes, running, limits, stopping: stopping.signal })
  finishReplies(app, stopping.signal, limits.stallTimeoutMs, options.errors ?? {})
  const bearer = tokens === undefined || tokens.length === 0 ? undefined : BEARER
  const schemes = authenticate ? options.securitySchemes : bearer
  const { api, errors } = options
  if (api) await describeRoutes(app, api, errors?.schema ?? ErrorEnvelopeSchema, schemes)

  const parts = { app, stopping, running }
  return {
    app,
    stopping: stopping.signal,
    async listener() {
      await app.ready()
      return app.routing
    },
    listen: (port) => listenOn(app, host, port),
    drain: (timeoutMs, options) => drainApp(parts, timeoutMs, options),
    close: async () => {
      await drainApp(parts, 0)
    },
  }
}
