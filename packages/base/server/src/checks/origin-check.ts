import type { IncomingHttpHeaders } from 'node:http'

/** Where a request comes from, according to its headers. */
export type OriginVerdict =
  /** From outside of a browser, or from a page of this server. */
  | { readonly kind: 'own' }
  /** From a page that may use this server: the reply needs CORS headers. */
  | { readonly kind: 'allowed'; readonly origin: string }
  | { readonly kind: 'refused'; readonly origin: string }

/** Classifies a request by its headers. */
export type OriginCheck = (method: string, headers: IncomingHttpHeaders) => OriginVerdict

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether an origin matches a Host header; any scheme matches, because a proxy may have ended TLS. */
const isOriginOf = (origin: string, host: string | undefined): boolean => {
  if (host === undefined || !/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false
  const { protocol, host: ofPage } = new URL(origin)
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === ofPage
}

/** Refuses requests from pages of other origins, so that no page can use a server on its visitor's machine. */
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

/** Headers of the reply to a CORS preflight request. */
export const preflightHeaders = (origin: string, methods: readonly string[]) => ({
  ...corsHeaders(origin),
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers':
    'authorization, content-type, x-request-id, x-api-key, idempotency-key, range, if-range, if-none-match',
  'access-control-max-age': '600',
})
