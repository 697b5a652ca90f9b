import type { IncomingMessage, RequestListener } from 'node:http'
import type { TSchema } from '@vid/kernel'
import type { FastifyRequest } from 'fastify'
import type { ErrorFormat } from './error-reply.ts'
import type { Limits } from './limits.ts'
import type { LogOptions } from './log.ts'
import type { ApiTitle, SecuritySchemes } from './openapi.ts'

/** Finds the owner of a request; undefined where the request proves none. */
export type Authenticate = (request: FastifyRequest) => Promise<string | undefined>

/** What one server is. */
export interface ServerOptions {
  /** Facts of the OpenAPI document; without them there is none, and its address is free. */
  readonly api?: ApiTitle
  /** Address to listen on; it also decides which Host headers are right. 127.0.0.1 by default. */
  readonly host?: string | undefined
  /** Other host names that the server answers to, without ports. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Origins whose pages may use the server, such as `https://studio.example`. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Bearer tokens, any of which will do; without one, every request is let in. */
  readonly tokens?: readonly string[] | undefined
  /** Name of the setting that carries the token, for messages. */
  readonly tokenSetting?: string | undefined
  /** Takes the place of the tokens, where a server knows its clients in another way. */
  readonly authenticate?: Authenticate | undefined
  /** With `authenticate`: how OpenAPI says what clients send. */
  readonly securitySchemes?: SecuritySchemes | undefined
  /** Proxies in front, as addresses or ranges, whose X-Forwarded-For says which address a request comes from. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Finds what answers a request for another site that shares the port; undefined for a request of this server. */
  readonly otherSite?: ((request: IncomingMessage) => RequestListener | undefined) | undefined
  readonly errors?: (ErrorFormat & { readonly schema?: TSchema | undefined }) | undefined
  readonly limits?: Partial<Limits> | undefined
  readonly log?: LogOptions | undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers also requests without a token. */
    readonly public?: boolean
    /** Largest body that the route reads by itself, as it arrives; JSON stays within `bodyLimit`. */
    readonly uploadBytes?: number
    /** Starts work, which is refused while the server drains. */
    readonly drains?: boolean
  }
  interface FastifyRequest {
    /** Who sends it: the same for each use of one token, and `anyone` where none is asked for. */
    owner: string
  }
}
