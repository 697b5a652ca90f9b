import type { IncomingMessage, RequestListener } from 'node:http'
import type { TSchema } from '@vid/protocol'
import type { FastifyRequest } from 'fastify'
import type { ErrorFormat } from './error-reply.ts'
import type { Limits } from './limits.ts'
import type { LogOptions } from './log.ts'
import type { ApiTitle, SecuritySchemes } from './openapi.ts'

/** Finds the owner of a request; undefined if the request does not authenticate one. */
export type Authenticate = (request: FastifyRequest) => Promise<string | undefined>

/** Options of a server. */
export interface ServerOptions {
  /** Facts for the OpenAPI document; without them the server has none, and its path is free. */
  readonly api?: ApiTitle
  /** Address to listen on; it also determines the accepted Host headers. 127.0.0.1 by default. */
  readonly host?: string | undefined
  /** Further accepted host names, without ports. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Origins whose pages may use the server, such as `https://studio.example`. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Bearer tokens, any of which authenticates; without tokens, every request is accepted. */
  readonly tokens?: readonly string[] | undefined
  /** Name of the token's setting, for messages. */
  readonly tokenSetting?: string | undefined
  /** Replaces the tokens if a server authenticates its clients in another way. */
  readonly authenticate?: Authenticate | undefined
  /** With `authenticate`: its security schemes in the OpenAPI document. */
  readonly securitySchemes?: SecuritySchemes | undefined
  /** Addresses or ranges of proxies whose X-Forwarded-For header names the client. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Finds the handler of a request for another site on the same port; undefined for a request to this server. */
  readonly otherSite?: ((request: IncomingMessage) => RequestListener | undefined) | undefined
  readonly errors?: (ErrorFormat & { readonly schema?: TSchema | undefined }) | undefined
  readonly limits?: Partial<Limits> | undefined
  readonly log?: LogOptions | undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Also accepts requests without a token. */
    readonly public?: boolean
    /** Largest body that the route reads itself as it arrives; `bodyLimit` still applies to JSON. */
    readonly uploadBytes?: number
    /** Starts work, which is refused while the server drains. */
    readonly drains?: boolean
  }
  interface FastifyRequest {
    /** The sender: the same for every use of one token, and `anyone` without authentication. */
    owner: string
  }
}
