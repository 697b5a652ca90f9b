import { describeCause, isVidError, type VidError } from '@vid/protocol'
import type { Agent } from 'undici'
import type { Call, Connection, ConnectionFacts, Reply, ServerErrors, ServerFacts } from './exchange.ts'
import type { HttpLimits } from './limits.ts'
import { received } from './received.ts'
import { refusalOf } from './refusals.ts'

/** Error codes of a connection that was never established. */
const NEVER_MADE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTDOWN',
  'ENETDOWN',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

const textOf = (cause: unknown): string => {
  const { code } = cause as { readonly code?: unknown }
  return describeCause(cause) || (typeof code === 'string' ? code : 'without a reason')
}

/** Translates a failed connection; an abort keeps its own reason. */
export const connectionError = (
  { url, errors }: Pick<Connection<ConnectionFacts>, 'url' | 'errors'>,
  cause: unknown,
  signal: AbortSignal,
): unknown => {
  if (signal.aborted) return signal.reason
  if (isVidError(cause)) return cause
  const code = String((cause as { readonly code?: unknown })?.code)
  const facts = { url, reason: textOf(cause) }
  return errors.fail(NEVER_MADE.has(code) ? 'UNREACHABLE' : 'CUT', facts, { cause })
}

/** Authenticates the client to a server. */
export interface Authority {
  /** The header of the next request; errors never contain `secret`. */
  header(signal: AbortSignal): Promise<{ readonly name: string; readonly value: string; readonly secret: string }>
  /**
   * Called if the server refused a secret; resolves to whether there is a new one, with which the request is retried
   * once.
   */
  renew?(secret: string, signal: AbortSignal): Promise<boolean>
}

/** Options of a connection; its address is checked. */
export interface ConnectionOptions<F extends ConnectionFacts = ServerFacts> {
  readonly url: string
  readonly limits: HttpLimits
  readonly errors: ServerErrors<F>
  readonly authority?: Authority | undefined
}

/** Refuses a secret that a header cannot contain. */
export const checkSecret = (secret: string, errors: ServerErrors<ConnectionFacts>): void => {
  if (!/^[\x21-\x7e]+$/.test(secret)) throw errors.fail('TOKEN_UNFIT', {})
}

/**
 * Opens a connection, which connects with the first request; redirects are errors, because a credential must not follow
 * them.
 */
export const createConnection = <F extends ConnectionFacts = ServerFacts>({
  url,
  limits,
  errors,
  authority,
}: ConnectionOptions<F>): Connection<F> => {
  let agent: Promise<Agent> | undefined
  let hasAnswered = false
  const secrets = new Set<string>()

  const clean = (text: string) => [...secrets].reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
  const server = { url, errors, clean }
  const openAgent = async () => {
    const { Agent: Pool } = await import('undici')
    return new Pool({
      connect: { timeout: limits.connectMs },
      headersTimeout: limits.replyMs,
      bodyTimeout: limits.idleMs,
      keepAliveTimeout: 4000,
    })
  }
  const sendOnce = async (call: Call, authorization: Readonly<Record<string, string>>): Promise<Reply> => {
    const { method, path, headers, body, signal, replyMs } = call
    agent ??= openAgent()
    const dispatcher = await agent
    const { request } = await import('undici')
    const answer = await request(url + path, {
      dispatcher,
      method,
      signal,
      body: (typeof body === 'function' ? body() : body) ?? null,
      headersTimeout: replyMs ?? limits.replyMs,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'vid', ...authorization, ...headers },
    }).catch((cause: unknown) => {
      throw connectionError(server, cause, signal)
    })
    hasAnswered = true
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: received(answer.body),
      drop: () => void answer.body.destroy(),
    }
  }
  const sendSigned = async (call: Call) => {
    if (!authority) return { reply: await sendOnce(call, {}), secret: undefined }
    const { name, value, secret } = await authority.header(call.signal)
    checkSecret(secret, errors)
    secrets.add(secret)
    return { reply: await sendOnce(call, { [name]: value }), secret }
  }
  return {
    ...server,
    limits,
    hasAnswered: () => hasAnswered,
    async send(call) {
      const { signal } = call
      signal.throwIfAborted()
      let { reply, secret } = await sendSigned(call)
      if (reply.status === 401 && secret !== undefined && (await authority?.renew?.(secret, signal))) {
        reply.drop()
        reply = (await sendSigned(call)).reply
      }
      if (reply.status >= 200 && reply.status < 300) return reply
      throw await refusalOf(reply, server).catch((cause: unknown): VidError => {
        throw connectionError(server, cause, signal)
      })
    },
    close: async () => {
      await (await agent)?.destroy()
    },
  }
}
