import type { ServerResponse } from 'node:http'
import { describeCause, isVidError, withoutCredentials } from '@vid/kernel'
import type { FastifyBaseLogger, FastifyRequest, FastifyServerOptions } from 'fastify'

/** How much a server says, the most important first. */
export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

/** Where the lines of JSON go. */
export interface LogOptions {
  readonly level?: LogLevel | undefined
  /** stderr by default. */
  readonly stream?: { write(line: string): void } | undefined
}

/** An error as the log has it: with its stack and causes, without credentials. */
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

/** The logger of a server: lines of JSON, in which no address, header or token of a request is written. */
export const loggerOptions = ({ level = 'info', stream = process.stderr }: LogOptions) =>
  ({
    level,
    stream,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: {
      err: loggedError,
      // The web framework's own lines may carry these: an address can hold a token.
      req: ({ method }: FastifyRequest) => ({ method }) as never,
      res: ({ statusCode }: { readonly statusCode?: number }) => ({ statusCode }) as never,
    },
    redact: ['authorization', 'cookie', 'headers.authorization', 'headers.cookie', 'headers["x-api-key"]'],
  }) satisfies FastifyServerOptions['logger']

const codes = new WeakMap<ServerResponse, string>()

/** Has the line of a request say the code of its error. */
export const noteCode = (raw: ServerResponse, code: string): void => void codes.set(raw, code)

/** Writes one line for a request once it is over: by the pattern of its route, since its address may hold a token. */
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
