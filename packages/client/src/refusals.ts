import { ErrorReplySchema, type Fault, printable, type ReplyError, VidError } from '@vid/kernel'
import { fail } from './errors.ts'
import type { Connection, Reply } from './exchange.ts'
import { badReply, parseReply, readText } from './replies.ts'

const CODE = /^[A-Z][A-Z0-9_]{2,99}$/
const MAX_TEXT = 4000
const MAX_SECONDS = 24 * 3600

/** Statuses of a server that may do better later. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Codes of a server that stops, after which another process may go on. */
const STOPPING: ReadonlySet<string> = new Set(['VID_PRODUCER_STOPPING', 'VID_SERVER_STOPPING'])

/** What a refusal says to a client that may try again. */
export interface RefusalFacts {
  readonly status: number | undefined
  /** Whether the same request may succeed in a while. */
  readonly mayPass: boolean
  /** What the server asks to wait. */
  readonly retryAfterMs: number | undefined
}

const faultOf = ({ fault }: ReplyError, status: number | undefined): Fault => {
  if (fault !== undefined) return fault
  if (status === undefined || status >= 500 || status === 429 || status === 408) return 'machine'
  return 'caller'
}

/** An error of the server as one of this process: code, words and fault are the server's. */
export const farError = (
  error: ReplyError,
  { url, clean }: Pick<Connection, 'url' | 'clean'>,
  { status, retryAfterMs, mayPass }: Partial<RefusalFacts> = {},
): VidError => {
  const { code } = error
  if (!CODE.test(code)) return badReply(url, 'the code of an error is none')
  const text = (given: string) => printable(clean(given).slice(0, MAX_TEXT))
  const facts: RefusalFacts = { status, retryAfterMs, mayPass: mayPass ?? STOPPING.has(code) }
  const words = { message: text(error.message), hint: text(error.hint ?? '') }
  return new VidError(code, { ...words, fault: faultOf(error, status) }, facts)
}

const retryAfterOf = ({ headers }: Reply): number | undefined => {
  const text = String(headers['retry-after'] ?? '').trim()
  if (/^\d{1,6}$/.test(text)) return Math.min(Number(text), MAX_SECONDS) * 1000
  const date = text === '' ? Number.NaN : Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - Date.now()), MAX_SECONDS * 1000)
}

/** The error that a reply other than success reports. */
export const refusalOf = async (
  reply: Reply,
  connection: Pick<Connection, 'url' | 'clean'>,
): Promise<VidError> => {
  const { status } = reply
  const { url } = connection
  if (status < 400) {
    reply.drop()
    return badReply(
      url,
      `it answers with status ${status}; redirects are not followed, so that no token travels`,
    )
  }
  const retryAfterMs = retryAfterOf(reply)
  try {
    const { error } = parseReply<{ error: ReplyError }>(
      ErrorReplySchema,
      await readText(reply.body, url),
      url,
    )
    const mayPass = retryAfterMs === undefined ? undefined : PASSING.has(status)
    return farError(error, connection, { status, retryAfterMs, ...(mayPass !== undefined && { mayPass }) })
  } catch (cause) {
    reply.drop()
    const facts: RefusalFacts = { status, retryAfterMs, mayPass: PASSING.has(status) }
    // A proxy has answered, or the answer to HEAD has no body.
    const made = fail(
      'VID_PRODUCER_REPLY',
      { url, reason: `it answers with status ${status}`, ...facts },
      { cause },
    )
    return made
  }
}

/** What a refusal says of trying again; undefined for an error that is none. */
export const refusalFacts = (error: VidError): RefusalFacts | undefined =>
  typeof error.facts.mayPass === 'boolean' ? (error.facts as unknown as RefusalFacts) : undefined
