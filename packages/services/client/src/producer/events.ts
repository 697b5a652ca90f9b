import { type ProducerEvent, ProducerEventSchema } from '../contract/index.ts'
import { connectionError } from '../http/connection.ts'
import type { Connection, Reply } from '../http/exchange.ts'
import { badReply, MAX_JSON_BYTES, parseReply } from '../http/replies.ts'

type Server = Pick<Connection, 'url' | 'errors'>

const HEADER = 'text/event-stream'

/** Splits incoming text into blocks, each ended by an empty line. */
const createBlocks = (server: Server) => {
  const decoder = new TextDecoder()
  let text = ''
  return function* (chunk: Uint8Array): Generator<string> {
    const searched = Math.max(0, text.length - 3)
    text += decoder.decode(chunk, { stream: true })
    const end = /\r?\n\r?\n/g
    end.lastIndex = searched
    let start = 0
    for (let match = end.exec(text); match; match = end.exec(text)) {
      yield text.slice(start, match.index)
      start = end.lastIndex
    }
    text = text.slice(start)
    if (text.length > MAX_JSON_BYTES) throw badReply(server, `an event has more than ${MAX_JSON_BYTES} bytes`)
  }
}

/** The data of a block; undefined for a heartbeat. */
const dataOf = (block: string): string | undefined => {
  const lines = block.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n')
}

/**
 * Yields the validated events of a reply as they arrive; rejects if the stream breaks off before the server ends it.
 */
export async function* readEvents(
  reply: Reply,
  server: Server,
  requestId: string,
  signal: AbortSignal,
): AsyncGenerator<ProducerEvent> {
  if (!String(reply.headers['content-type']).startsWith(HEADER)) {
    reply.drop()
    throw badReply(server, 'what should be a stream of events is something else')
  }
  const blocks = createBlocks(server)
  try {
    for await (const chunk of reply.body)
      for (const block of blocks(chunk)) {
        const data = dataOf(block)
        if (data === undefined) continue
        const event = parseReply<ProducerEvent>(ProducerEventSchema, data, server)
        if (event.requestId !== requestId) throw badReply(server, 'an event is about another request')
        yield event
      }
  } catch (cause) {
    throw connectionError(server, cause, signal)
  }
}
