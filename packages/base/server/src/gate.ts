import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hostCheck } from './checks/host-check.ts'
import { corsHeaders, originCheck, preflightHeaders } from './checks/origin-check.ts'
import { admit } from './connections.ts'
import { failHttp } from './errors.ts'
import type { Limits } from './limits.ts'
import { logWhenOver } from './log.ts'
import { askForBody, hasUnknownExpectation } from './node-server.ts'
import type { ServerOptions } from './options.ts'
import { REQUEST_ID_HEADER } from './request-id.ts'
import type { RouteTable } from './route-table.ts'
import type { Running } from './running.ts'
import { ANYONE, bearerToken, tokenCheck } from './tokens.ts'

/** Dependencies of the checks of a request. */
export interface GateParts {
  readonly options: ServerOptions & { readonly host: string }
  readonly routes: RouteTable
  readonly running: Running
  readonly stopping: AbortSignal
  readonly limits: Pick<Limits, 'maxRequestsPerOwner'>
}

const MAX_SHOWN = 200
/** Seconds after which an owner with too many requests may retry. */
const RETRY_SECONDS = 5

const isJson = (type = ''): boolean => /^application\/json\s*(;|$)/i.test(type)

/** Finds the owner of a request by its token, or as the server defines. */
const ownerOfRequest = ({ tokens = [], authenticate }: ServerOptions) => {
  if (authenticate) return authenticate
  const check = tokenCheck(tokens)
  return async ({ headers }: FastifyRequest) =>
    tokens.length === 0 ? ANYONE : check(bearerToken(headers.authorization))
}

/** The host of a request; an absolute address in the request line takes precedence over the header. */
const hostOf = ({ raw }: FastifyRequest): string | undefined => {
  const { url = '', headersDistinct } = raw
  const [host, ...otherHosts] = headersDistinct.host ?? []
  if (otherHosts.length > 0) return [host, ...otherHosts].join(', ')
  if (url.startsWith('/') || !URL.canParse(url)) return host
  return new URL(url).host
}

/** Counts the running requests of each owner, and refuses those beyond the limit. */
const createShares = (most: number) => {
  const counts = new Map<string, number>()
  return (owner: string): (() => void) => {
    const count = (counts.get(owner) ?? 0) + 1
    if (count > most) throw failHttp('VID_HTTP_TOO_MANY', { retryAfterSeconds: RETRY_SECONDS })
    counts.set(owner, count)
    return () => {
      const remaining = (counts.get(owner) ?? 1) - 1
      if (remaining > 0) counts.set(owner, remaining)
      else counts.delete(owner)
    }
  }
}

/** Headers of every reply, including errors. */
export const replyHeaders = (requestId: string) => ({
  [REQUEST_ID_HEADER]: requestId,
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
})

/** Refuses a body that would not be read, by what its headers announce. */
const checkBody = ({ headers, routeOptions: { bodyLimit, config } }: FastifyRequest): void => {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity')
    throw failHttp('VID_HTTP_MEDIA_TYPE', { found: `bodies compressed as ${encoding.slice(0, MAX_SHOWN)}` })
  const limit = isJson(headers['content-type']) ? bodyLimit : (config.uploadBytes ?? bodyLimit)
  if (limit !== undefined && Number(headers['content-length'] ?? 0) > limit)
    throw failHttp('VID_HTTP_BODY_TOO_LARGE', { bytes: limit })
}

/** Refuses invalid requests before their bodies are read or any work is done. */
export const guardRequests = (
  app: FastifyInstance,
  { options, routes, running, stopping, limits }: GateParts,
): void => {
  const isOurHost = hostCheck(options.host, options.allowedHosts)
  const originOf = originCheck(options.allowedOrigins)
  const findOwner = ownerOfRequest(options)
  const takeShare = createShares(limits.maxRequestsPerOwner)

  const checkOrigin = (request: FastifyRequest, reply: FastifyReply): boolean => {
    const verdict = originOf(request.method, request.headers)
    if (verdict.kind === 'refused') throw failHttp('VID_HTTP_ORIGIN', { origin: verdict.origin.slice(0, MAX_SHOWN) })
    if (verdict.kind === 'own') return false
    reply.headers(corsHeaders(verdict.origin))
    const methods = routes.methodsOf(request.url)
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (isPreflight) reply.headers(preflightHeaders(verdict.origin, methods)).code(204).send()
    return isPreflight
  }

  const checkAddress = ({ is404, method, url }: FastifyRequest, reply: FastifyReply): void => {
    if (!is404) return
    const allowed = routes.methodsOf(url)
    if (allowed.length === 0) throw failHttp('VID_HTTP_NOT_FOUND', {})
    reply.header('allow', allowed.join(', '))
    throw failHttp('VID_HTTP_METHOD', { method, allowed })
  }

  app.decorateRequest('owner', ANYONE)
  app.addHook('onRequest', async (request, reply) => {
    running.add(reply.raw)
    logWhenOver(request, reply.raw)
    reply.headers(replyHeaders(request.id))
    const host = hostOf(request)
    if (!isOurHost(host)) throw failHttp('VID_HTTP_HOST', { host: host?.slice(0, MAX_SHOWN) ?? '(none)' })
    if (checkOrigin(request, reply)) return reply
    if (hasUnknownExpectation(request.raw)) throw failHttp('VID_HTTP_EXPECTATION', {})
    const { config } = request.routeOptions
    if (config.public !== true) {
      const owner = await findOwner(request)
      if (owner === undefined) {
        reply.header('www-authenticate', 'Bearer')
        throw failHttp('VID_HTTP_UNAUTHORIZED', {})
      }
      // Anonymous clients have no limit of their own.
      const isProven = owner !== ANYONE
      request.owner = owner
      admit(request.raw, { isProven, onEnd: isProven ? takeShare(owner) : undefined })
    }
    checkAddress(request, reply)
    if (config.drains === true && stopping.aborted) throw failHttp('VID_SERVER_STOPPING', {})
  })
  app.addHook('preParsing', async (request, reply, payload) => {
    checkBody(request)
    askForBody(request.raw, reply.raw)
    return payload
  })
}
