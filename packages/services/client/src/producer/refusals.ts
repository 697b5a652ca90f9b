import { ErrorReplySchema, type Fault, printable, type ReplyError, VidError } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { Connection, RefusalFacts, ServerErrors } from '../http/exchange.ts'
import { badReply, parseReply } from '../http/replies.ts'

const CODE = /^[A-Z][A-Z0-9_]{2,99}$/
const MAX_TEXT = 4000

/** Statuses after which the same request may succeed later. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Codes of a stopping server, which another process may replace. */
const STOPPING: ReadonlySet<string> = new Set(['VID_PRODUCER_STOPPING', 'VID_SERVER_STOPPING'])

const faultOf = ({ fault }: ReplyError, status: number | undefined): Fault => {
  if (fault !== undefined) return fault
  if (status === undefined || status >= 500 || status === 429 || status === 408) return 'machine'
  return 'caller'
}

/** Converts an error of the server to a local one with the server's code, text and fault. */
export const remoteError = (
  error: ReplyError,
  server: Pick<Connection, 'url' | 'clean' | 'errors'>,
  { status, retryAfterMs, mayPass }: Partial<RefusalFacts> = {},
): VidError => {
  const { code } = error
  if (!CODE.test(code)) return badReply(server, 'the code of an error is none')
  const text = (value: string) => printable(server.clean(value).slice(0, MAX_TEXT))
  const facts: RefusalFacts = { status, retryAfterMs, mayPass: mayPass ?? STOPPING.has(code) }
  const words = { message: text(error.message), hint: text(error.hint ?? '') }
  return new VidError(code, { ...words, fault: faultOf(error, status) }, facts)
}

/** Errors of the client of a render server. */
export const producerClientErrors: ServerErrors = {
  prefix: 'VID_PRODUCER',
  fail: (name, facts, origin) => fail(`VID_PRODUCER_${name}`, facts as never, origin),
  isPassing: (status) => PASSING.has(status),
  read(text, { status, retryAfterMs }, server) {
    const { error } = parseReply<{ error: ReplyError }>(ErrorReplySchema, text, server)
    const mayPass = retryAfterMs === undefined ? undefined : PASSING.has(status)
    return remoteError(error, server, { status, retryAfterMs, ...(mayPass !== undefined && { mayPass }) })
  },
}
