import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { ClientLimits } from './options.ts'

/** One request to the server. */
export interface Call {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /** From the root of the server. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Readable
  readonly signal: AbortSignal
  /** Longest time until the reply begins, where it is not that of all calls; 0 for none. */
  readonly replyMs?: number
}

/** The beginning of a reply that is no error; its body is read once, or let go by `drop`. */
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: AsyncIterable<Uint8Array>
  drop(): void
}

/** Sends requests to one server. */
export interface Connection {
  /** Address of the server, for messages. */
  readonly url: string
  readonly limits: ClientLimits
  /** Whether the server has ever answered. */
  hasAnswered(): boolean
  /** Resolves to a reply of success; an error of the server rejects, and a connection that fails does. */
  send(call: Call): Promise<Reply>
  /** A text without the token. */
  clean(text: string): string
  close(): Promise<void>
}
