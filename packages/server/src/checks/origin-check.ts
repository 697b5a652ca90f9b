import type { IncomingHttpHeaders } from 'node:http'

/** What the headers say about the page that sent a request. */
export type OriginVerdict =
  /** Sent by no page of a browser, or by a page of this server. */
  | { readonly kind: 'own' }
  /** Sent by a page that may use this server: the reply needs CORS headers. */
  | { readonly kind: 'allowed'; readonly origin: string }
  | { readonly kind: 'refused'; readonly origin: string }

/** Decides about a request by its headers. */
export type OriginCheck = (method: string, headers: IncomingHttpHeaders) => OriginVerdict

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether an origin is the one that a Host header names; a proxy in front may have ended TLS, so either scheme will do. */
const isOriginOf = (origin: string, host: string | undefined): boolean => {
  if (host === undefined || !/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false
  const { protocol, host: ofPage } = new URL(origin)
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === ofPage
}

/** Refuses what pages of other origins send, so that no page can use a server of the machine that shows it. */
export const originCheck = (allowed: readonly string[] = []): OriginCheck => {
  const origins = new Set(allowed.map((origin) => (URL.canParse(origin) ? new URL(origin).origin : origin)))
  return (method, headers) => {
    const { origin } = headers
    if (origin !== undefined) {
      if (origins.has(origin)) return { kind: 'allowed', origin }
      return isOriginOf(origin, headers.host) ? { kind: 'own' } : { kind: 'refused', origin }
    }
    const site = headers['sec-fetch-site']
    const isForeign = site === 'cross-site' || site === 'same-site'
    if (isForeign && !SAFE_METHODS.has(method)) return { kind: 'refused', origin: 'another site' }
    return { kind: 'own' }
  }
}

/** Headers that let a page of an allowed origin read the reply. */
export const corsHeaders = (origin: string): Readonly<Record<string, string>> => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': 'x-request-id, retry-after, etag, accept-ranges, content-range, content-disposition',
  'cross-origin-resource-policy': 'cross-origin',
  vary: 'origin',
})

/** Headers that answer a browser that asks first (CORS preflight). */
export const preflightHeaders = (origin: string, methods: readonly string[]) => ({
  ...corsHeaders(origin),
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers':
    'authorization, content-type, x-request-id, x-api-key, idempotency-key, range, if-range, if-none-match',
  'access-control-max-age': '600',
})
