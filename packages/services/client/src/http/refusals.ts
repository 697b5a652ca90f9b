import type { VidError } from '@vid/protocol'
import type { Connection, ConnectionFacts, RefusalFacts, Reply } from './exchange.ts'
import { badReply, readText } from './replies.ts'

const MAX_SECONDS = 24 * 3600

const retryAfterOf = ({ headers }: Reply): number | undefined => {
  const text = String(headers['retry-after'] ?? '').trim()
  if (/^\d{1,6}$/.test(text)) return Math.min(Number(text), MAX_SECONDS) * 1000
  const date = text === '' ? Number.NaN : Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - Date.now()), MAX_SECONDS * 1000)
}

/** Parses the error in an unsuccessful reply. */
export const refusalOf = async (
  reply: Reply,
  server: Pick<Connection<ConnectionFacts>, 'url' | 'clean' | 'errors'>,
): Promise<VidError> => {
  const { status } = reply
  const { url, errors } = server
  if (status < 400) {
    reply.drop()
    return badReply(
      server,
      `it answers with status ${status}; redirects are not followed, so that no credential travels`,
    )
  }
  const retryAfterMs = retryAfterOf(reply)
  try {
    return errors.read(await readText(reply.body, server), { status, retryAfterMs }, server)
  } catch (cause) {
    reply.drop()
    const facts: RefusalFacts = { status, retryAfterMs, mayPass: errors.isPassing(status) }
    // Sent by a proxy, or in reply to HEAD, which has no body.
    return errors.fail('REPLY', { url, reason: `it answers with status ${status}`, ...facts }, { cause })
  }
}

/** The retry information of a refusal; undefined for any other error. */
export const refusalFacts = (error: VidError): RefusalFacts | undefined =>
  typeof error.facts.mayPass === 'boolean' ? (error.facts as unknown as RefusalFacts) : undefined
