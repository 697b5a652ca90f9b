import type { ServerResponse } from 'node:http'
import { describeCause, isVidError, withoutCredentials } from '@vid/protocol'
import type { FastifyBaseLogger, FastifyRequest, FastifyServerOptions } from 'fastify'

/** Levels of a server's log, from none to the most detailed. */
export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

/** Level and destination of the log, written as lines of JSON. */
export interface LogOptions {
  readonly level?: LogLevel | undefined
  /** Default: stderr. */
  readonly stream?: { write(line: string): void } | undefined
}

/** An error for the log: with its stack and causes, without credentials. */
const loggedError = (thrown: unknown) => {
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : describeCause(thrown)
  const cause = thrown instanceof Error ? thrown.cause : undefined
  return {
    type: thrown instanceof Error ? thrown.name : typeof thrown,
    ...(isVidError(thrown) && { code: thrown.code }),
    message: withoutCredentials(describeCause(thrown)),
    stack: withoutCredentials(text),
    ...(cause !== undefined && { cause: withoutCredentials(describeCause(cause)) }),
  }
}

/** Logger options of a server: lines of JSON without addresses, headers or tokens of requests. */
export const loggerOptions = ({ level = 'info', stream = process.stderr }: LogOptions) =>
  ({
    level,
    stream,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: {
      err: loggedError,
      // Fastify's own lines may contain these: an address can include a token.
      req: ({ method }: FastifyRequest) => ({ method }) as never,
      res: ({ statusCode }: { readonly statusCode?: number }) => ({ statusCode }) as never,
    },
    redact: ['authorization', 'cookie', 'headers.authorization', 'headers.cookie', 'headers["x-api-key"]'],
  }) satisfies FastifyServerOptions['logger']

const codes = new WeakMap<ServerResponse, string>()

/** Adds an error's code to the log line of the request. */
export const noteCode = (raw: ServerResponse, code: string): void => void codes.set(raw, code)

/**
 * Logs one line for a request once it is over, with the route pattern in place of the address, which may include a
 * token.
 */
export const logWhenOver = (request: FastifyRequest, raw: ServerResponse): void => {
  const start = performance.now()
  raw.once('close', () => {
    const log: FastifyBaseLogger = request.log
    const { method, routeOptions } = request
    const ms = Math.round(performance.now() - start)
    const code = codes.get(raw)
    const outcome = {
      status: raw.statusCode,
      ...(code && { code }),
      ...(!raw.writableFinished && { left: true }),
    }
    log.info({ method, route: routeOptions.url ?? null, ...outcome, ms }, 'request')
  })
}
