import type { TSchema } from '@vid/protocol'
import {
  type ProducerQueue,
  ProducerQueueSchema,
  type ProducerRecord,
  ProducerRecordSchema,
  type ProducerRender,
  type ProducerResult,
} from '../contract/index.ts'
import type { Call } from '../http/exchange.ts'
import { parseReply, readText } from '../http/replies.ts'
import { withRetries } from '../http/retries.ts'
import { connectProducer } from './connection.ts'
import { download, type ProducerOutput } from './download.ts'
import { type RenderCall, renderOnServer } from './follow.ts'
import type { ProducerClientOptions } from './options.ts'
import { hasProject, type ProjectSource, sendProject } from './projects.ts'

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/** A client of one render server; a call that the server refuses rejects with the server's error code. */
export interface ProducerClient {
  /** Renders a request on the server, and resolves to its result; an abort cancels it there. */
  render(request: ProducerRender, call?: RenderCall): Promise<ProducerResult>
  /** Reads the state of a request. */
  get(requestId: string, options?: CallOptions): Promise<ProducerRecord>
  /** Cancels a waiting or running request. */
  cancel(requestId: string, options?: CallOptions): Promise<ProducerRecord>
  /** Counts running and waiting requests. */
  queue(options?: CallOptions): Promise<ProducerQueue>
  hasProject(digest: string, options?: CallOptions): Promise<boolean>
  /** Uploads a project unless the server has it; resolves to the digest that identifies it in requests. */
  sendProject(source: ProjectSource, options?: CallOptions): Promise<string>
  /** Downloads a result to a path, where it appears once it is complete. */
  download(output: ProducerOutput, path: string, options?: CallOptions): Promise<void>
  /** Closes every connection. */
  close(): Promise<void>
}

const signalOf = ({ signal }: CallOptions = {}): AbortSignal => signal ?? new AbortController().signal

/** Creates a client; it connects on first use, and must be closed. */
export const createProducerClient = (options: ProducerClientOptions): ProducerClient => {
  const connection = connectProducer(options)

  const ask = async <T>(schema: TSchema, call: Call): Promise<T> => {
    const reply = await connection.send(call)
    return parseReply<T>(schema, await readText(reply.body, connection), connection)
  }
  const askAgain = <T>(schema: TSchema, call: Call): Promise<T> =>
    withRetries(connection, call.signal, () => ask<T>(schema, call))
  const addressOf = (requestId: string) => `/render/${encodeURIComponent(requestId)}`
  return {
    render: (request, call = {}) => renderOnServer(connection, request, call),
    get: (requestId, call) =>
      askAgain(ProducerRecordSchema, { method: 'GET', path: addressOf(requestId), signal: signalOf(call) }),
    cancel: (requestId, call) =>
      ask(ProducerRecordSchema, { method: 'DELETE', path: addressOf(requestId), signal: signalOf(call) }),
    queue: (call) => askAgain(ProducerQueueSchema, { method: 'GET', path: '/render/queue', signal: signalOf(call) }),
    hasProject: (digest, call) => hasProject(connection, digest, signalOf(call)),
    sendProject: (source, call) => sendProject(connection, source, signalOf(call)),
    download: (output, path, call) => download(connection, output, path, signalOf(call)),
    close: connection.close,
  }
}
