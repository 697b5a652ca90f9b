import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { ErrorOrigin, VidError } from '@vid/protocol'
import type { HttpLimits } from './limits.ts'

/** A request to a server. */
export interface Call {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /** Path from the root of the server. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A function creates a new stream, so that the request can be repeated. */
  readonly body?: string | (() => Readable)
  readonly signal: AbortSignal
  /** Timeout for the start of the reply, if it differs from that of other calls; 0 for none. */
  readonly replyMs?: number
}

/** The start of a successful reply; read its body once, or discard it with `drop`. */
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: AsyncIterable<Uint8Array>
  drop(): void
}

/** The retry information in a refusal. */
export interface RefusalFacts {
  readonly status: number | undefined
  /** Whether the same request may succeed later. */
  readonly mayPass: boolean
  /** The delay that the server asks for. */
  readonly retryAfterMs: number | undefined
}

/** The errors of every connection, by the end of their code, with the facts of their messages. */
export interface ConnectionFacts {
  readonly ADDRESS: { readonly url: string; readonly problem: string }
  readonly TOKEN_UNFIT: object
  readonly UNREACHABLE: { readonly url: string; readonly reason: string }
  readonly CUT: { readonly url: string; readonly reason: string }
  readonly REPLY: { readonly url: string; readonly reason: string } & Partial<RefusalFacts>
}

/** Those of a client that fetches files, too. */
export interface ServerFacts extends ConnectionFacts {
  readonly DAMAGED: { readonly expected: string; readonly found: string }
  readonly UNWRITABLE: { readonly path: string; readonly reason: string }
}

/** The errors that a client raises for its kind of server. */
export interface ServerErrors<F extends ConnectionFacts = ServerFacts> {
  /** Prefix of the codes, such as `VID_PRODUCER`. */
  readonly prefix: string
  fail<N extends keyof F>(name: N, facts: F[N], origin?: ErrorOrigin): VidError
  /** Whether a status means that the same request may succeed later. */
  isPassing(status: number): boolean
  /** Parses the error in the body of a refusal; throws if it does not come from this kind of server. */
  read(
    text: string,
    refusal: { readonly status: number; readonly retryAfterMs: number | undefined },
    server: Pick<Connection<F>, 'url' | 'clean' | 'errors'>,
  ): VidError
}

/** Sends requests to one server. */
export interface Connection<F extends ConnectionFacts = ServerFacts> {
  /** Address of the server, for messages. */
  readonly url: string
  readonly limits: HttpLimits
  readonly errors: ServerErrors<F>
  /** Whether the server has ever replied. */
  hasAnswered(): boolean
  /** Resolves to a successful reply; rejects with an error of the server or the connection. */
  send(call: Call): Promise<Reply>
  /** Removes credentials from a text. */
  clean(text: string): string
  close(): Promise<void>
}
