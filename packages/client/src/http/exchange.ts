import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { ErrorOrigin, VidError } from '@vid/kernel'
import type { HttpLimits } from './limits.ts'

/** One request to a server. */
export interface Call {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /** From the root of the server. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A function makes a stream, so that the request can be sent a second time. */
  readonly body?: string | (() => Readable)
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

/** What a refusal says to a client that may try again. */
export interface RefusalFacts {
  readonly status: number | undefined
  /** Whether the same request may succeed in a while. */
  readonly mayPass: boolean
  /** What the server asks to wait. */
  readonly retryAfterMs: number | undefined
}

/** The errors that every client has, by the ends of their codes, with the facts of their messages. */
export interface ServerFacts {
  readonly ADDRESS: { readonly url: string; readonly problem: string }
  readonly TOKEN_UNFIT: object
  readonly UNREACHABLE: { readonly url: string; readonly reason: string }
  readonly CUT: { readonly url: string; readonly reason: string }
  readonly REPLY: { readonly url: string; readonly reason: string } & Partial<RefusalFacts>
  readonly DAMAGED: { readonly expected: string; readonly found: string }
  readonly UNWRITABLE: { readonly path: string; readonly reason: string }
}

/** What a client says of its kind of server. */
export interface ServerErrors {
  /** Beginning of the codes, such as `VID_PRODUCER`. */
  readonly prefix: string
  fail<N extends keyof ServerFacts>(name: N, facts: ServerFacts[N], origin?: ErrorOrigin): VidError
  /** Whether a status says that the same request may succeed in a while. */
  isPassing(status: number): boolean
  /** The error that the body of a refusal reports; throws when it is none of this kind of server. */
  read(
    text: string,
    refusal: { readonly status: number; readonly retryAfterMs: number | undefined },
    server: Pick<Connection, 'url' | 'clean' | 'errors'>,
  ): VidError
}

/** Sends requests to one server. */
export interface Connection {
  /** Address of the server, for messages. */
  readonly url: string
  readonly limits: HttpLimits
  readonly errors: ServerErrors
  /** Whether the server has ever answered. */
  hasAnswered(): boolean
  /** Resolves to a reply of success; an error of the server rejects, and a connection that fails does. */
  send(call: Call): Promise<Reply>
  /** A text without credentials. */
  clean(text: string): string
  close(): Promise<void>
}
