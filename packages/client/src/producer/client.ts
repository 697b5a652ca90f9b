import {
  type ProducerQueue,
  ProducerQueueSchema,
  type ProducerRecord,
  ProducerRecordSchema,
  type ProducerRender,
  type ProducerResult,
  type TSchema,
} from '@vid/kernel'
import type { Call } from '../http/exchange.ts'
import { parseReply, readText } from '../http/replies.ts'
import { withRetries } from '../http/retries.ts'
import { connectProducer } from './connection.ts'
import { download, type ProducerOutput } from './download.ts'
import { type RenderCall, renderThere } from './follow.ts'
import type { ProducerClientOptions } from './options.ts'
import { hasProject, type ProjectSource, sendProject } from './projects.ts'

/** What every call of a client takes. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/** A client of one render server; what the server refuses rejects with the server's own code. */
export interface ProducerClient {
  /** Has a request rendered, and resolves to its result; an abort cancels it at the server. */
  render(request: ProducerRender, call?: RenderCall): Promise<ProducerResult>
  /** The state of a request. */
  get(requestId: string, options?: CallOptions): Promise<ProducerRecord>
  /** Ends a request that waits or runs. */
  cancel(requestId: string, options?: CallOptions): Promise<ProducerRecord>
  /** How many requests run and wait. */
  queue(options?: CallOptions): Promise<ProducerQueue>
  hasProject(digest: string, options?: CallOptions): Promise<boolean>
  /** Sends a project unless the server has it; resolves to its digest, by which requests name it. */
  sendProject(source: ProjectSource, options?: CallOptions): Promise<string>
  /** Fetches a result to a path, which is there once it is whole. */
  download(output: ProducerOutput, path: string, options?: CallOptions): Promise<void>
  /** Cuts every connection. */
  close(): Promise<void>
}

const signalOf = ({ signal }: CallOptions = {}): AbortSignal => signal ?? new AbortController().signal

/** Makes a client; it connects when it is first used, and has to be closed. */
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
    render: (request, call = {}) => renderThere(connection, request, call),
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
