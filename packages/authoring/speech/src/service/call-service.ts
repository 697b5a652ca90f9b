import type { Readable } from 'node:stream'
import {
  type Connection,
  type ConnectionFacts,
  checkAddress,
  checkSecret,
  connectionError,
  createConnection,
  createStallWatch,
  type Reply,
  type ServerErrors,
} from '@vid/client/connection'
import { printable } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { ServicePlace } from './service-options.ts'

const CONNECT_MS = 10_000
const MAX_REASON = 300

/** A connection to a speech service. */
export type ServiceConnection = Connection<ConnectionFacts>

/** What is sent to a service. */
export interface ServiceBody {
  readonly headers: Readonly<Record<string, string>>
  readonly content: string | (() => Readable)
}

/** Errors of a connection to a speech service. */
const serviceErrors: ServerErrors<ConnectionFacts> = {
  prefix: 'VID_SPEECH_SERVICE',
  fail: (name, facts, origin) => fail(`VID_SPEECH_SERVICE_${name}`, facts as never, origin),
  isPassing: () => false,
  read(text, { status }, { url, clean }) {
    const words = printable(clean(text)).trim().slice(0, MAX_REASON)
    const reason = `it answers with status ${status}${words === '' ? '' : `: ${words}`}`
    return fail('VID_SPEECH_SERVICE_REPLY', { url, reason })
  },
}

const connect = ({ url, token, tokenHeader, tokenPrefix, insecure, timeoutMs }: ServicePlace): ServiceConnection => {
  const address = checkAddress({ url, insecure }, serviceErrors)
  if (token !== undefined) checkSecret(token, serviceErrors)
  const header = async () => ({ name: tokenHeader, value: `${tokenPrefix}${token}`, secret: token ?? '' })
  return createConnection({
    url: address,
    errors: serviceErrors,
    limits: { connectMs: CONNECT_MS, replyMs: timeoutMs, idleMs: timeoutMs, awayMs: 0, fullMs: 0, brokenMs: 0 },
    ...(token !== undefined && { authority: { header } }),
  })
}

/** Posts to a service once and reads its reply; both end at the time limit, and no credential follows a redirect. */
export const callService = async <T>(
  place: ServicePlace,
  { headers, content }: ServiceBody,
  receive: (reply: Reply, connection: ServiceConnection) => Promise<T>,
  signal: AbortSignal,
): Promise<T> => {
  const connection = connect(place)
  const { url } = connection
  const { timeoutMs } = place
  const reason = `it did not answer within ${timeoutMs} ms`
  const watch = createStallWatch(signal, () => fail('VID_SPEECH_SERVICE_CUT', { url, reason }))
  watch.touch(timeoutMs)
  const query = new URLSearchParams(place.query).toString()
  const path = query === '' ? '' : `?${query}`
  try {
    const reply = await connection.send({ method: 'POST', path, headers, body: content, signal: watch.signal })
    return await receive(reply, connection)
  } catch (cause) {
    throw connectionError(connection, cause, watch.signal)
  } finally {
    watch.end()
    await connection.close()
  }
}
