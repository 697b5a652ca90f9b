import { schemaProblems, type TSchema } from '@vid/protocol'
import type { Connection, ConnectionFacts } from './exchange.ts'

/** Largest JSON reply, and largest event, in bytes. */
export const MAX_JSON_BYTES = 8 * 2 ** 20
const MAX_SHOWN = 300

type Server = Pick<Connection<ConnectionFacts>, 'url' | 'errors'>

/** The error for a reply that no such server sends; its untrusted reason is shortened. */
export const badReply = ({ url, errors }: Server, reason: string, cause?: unknown) =>
  errors.fail('REPLY', { url, reason: reason.slice(0, MAX_SHOWN) }, { cause })

/** Reads a body of limited size as text. */
export const readText = async (
  body: AsyncIterable<Uint8Array>,
  server: Server,
  maxBytes = MAX_JSON_BYTES,
): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw badReply(server, `a reply has more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Parses a text and checks it against a schema. */
export const parseReply = <T>(schema: TSchema, text: string, server: Server): T => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw badReply(server, 'a reply is not JSON', cause)
  }
  const [problem] = schemaProblems(schema, value)
  if (problem !== undefined) throw badReply(server, `in a reply, ${problem}`)
  return value as T
}
