import { describeCause, isVidError, type VidError } from '@vid/kernel'
import type { Agent } from 'undici'
import { checkAddress } from './address.ts'
import { fail } from './errors.ts'
import type { Connection, Reply } from './exchange.ts'
import { clientLimits, type ProducerClientOptions } from './options.ts'
import { received } from './received.ts'
import { refusalOf } from './refusals.ts'

/** Codes of a connection that was never made. */
const NEVER_MADE: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ETIMEDOUT'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'EHOSTDOWN', 'ENETDOWN', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED'],
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
])

const textOf = (cause: unknown): string => {
  const { code } = cause as { readonly code?: unknown }
  return describeCause(cause) || (typeof code === 'string' ? code : 'without a reason')
}

/** What a failed connection means; an abort keeps its own reason. */
export const connectionError = (url: string, cause: unknown, signal: AbortSignal): unknown => {
  if (signal.aborted) return signal.reason
  if (isVidError(cause)) return cause
  const code = String((cause as { readonly code?: unknown })?.code)
  const facts = { url, reason: textOf(cause) }
  return fail(NEVER_MADE.has(code) ? 'VID_PRODUCER_UNREACHABLE' : 'VID_PRODUCER_CUT', facts, { cause })
}

const checkToken = (token: string | undefined): void => {
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) throw fail('VID_PRODUCER_TOKEN_UNFIT', {})
}

/** Opens a connection, which connects when the first request is sent; redirects are errors, since a token must not travel. */
export const createConnection = (options: ProducerClientOptions): Connection => {
  const url = checkAddress(options)
  const { token } = options
  checkToken(token)
  const limits = { ...clientLimits, ...options.limits }
  let agent: Promise<Agent> | undefined
  let hasAnswered = false

  const clean = (text: string) => (token === undefined ? text : text.replaceAll(token, '…'))
  const openAgent = async () => {
    const { Agent: Pool } = await import('undici')
    return new Pool({
      connect: { timeout: limits.connectMs },
      headersTimeout: limits.replyMs,
      bodyTimeout: limits.idleMs,
      keepAliveTimeout: 4000,
    })
  }
  return {
    ...{ url, limits, clean },
    hasAnswered: () => hasAnswered,
    async send({ method, path, headers, body, signal, replyMs }) {
      signal.throwIfAborted()
      agent ??= openAgent()
      const dispatcher = await agent
      const { request } = await import('undici')
      const answer = await request(url + path, {
        ...{ dispatcher, method, signal, body: body ?? null },
        headersTimeout: replyMs ?? limits.replyMs,
        headers: {
          'accept-encoding': 'identity',
          'user-agent': 'vid',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
      }).catch((cause: unknown) => {
        throw connectionError(url, cause, signal)
      })
      hasAnswered = true
      const reply: Reply = {
        status: answer.statusCode,
        headers: answer.headers,
        body: received(answer.body),
        drop: () => void answer.body.destroy(),
      }
      if (reply.status >= 200 && reply.status < 300) return reply
      throw await refusalOf(reply, { url, clean }).catch((cause: unknown): VidError => {
        throw connectionError(url, cause, signal)
      })
    },
    close: async () => {
      await (await agent)?.destroy()
    },
  }
}
