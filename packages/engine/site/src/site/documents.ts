import { addressesIn, declaredAddresses } from '@vid/assets'
import { isMachineFault, isVidError, type VidError } from '@vid/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AskedDocument } from './prepared-page.ts'
import { STARTING_PAGE } from './worker-script.ts'

/** Where a site is, once it listens. */
export interface SitePlace {
  /** Name and port. */
  readonly host: string
  /** The page that may show its documents. */
  readonly pageOrigin: string
  /**
   * Whether visitors see the documents of a stranger: then these ask this origin alone, which has the files of others below
   * `OWN_REMOTE_PATH`. Otherwise a service worker takes what they ask others for.
   */
  readonly isPublic?: boolean
}

/** Headers of everything that belongs to the project. */
export const NO_STORE = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
} as const

/** Sent by the service worker with the request for a document: requests of that document will go through it. */
const BY_WORKER = 'x-vid-worker'

/**
 * What a document or a worker of the site may do: it is shown by the preview alone, and sends nothing. Files may come
 * from anywhere where the service worker takes the requests, which this server then answers, and from here alone elsewhere.
 */
const policyOf = (isWatched: boolean, { pageOrigin, isPublic }: SitePlace): string => {
  const sources = "'self' 'unsafe-inline' 'unsafe-eval' data: blob:"
  return [
    // A worker sees nothing of frames whose origin is opaque, which have the policy of their document.
    `default-src ${isWatched && !isPublic ? `${sources} http: https:` : sources}`,
    "object-src 'none'; form-action 'none'; webrtc 'block'",
    `frame-ancestors 'self' ${pageOrigin}`,
  ].join('; ')
}

/** Also where a document is opened without a player around it, it opens no windows and leads nowhere else. */
const SANDBOX = '; sandbox allow-scripts allow-same-origin'

/** A document of a stranger that no page of the server is around could lead its own window elsewhere: it runs nothing. */
const sandboxOf = ({ headers }: FastifyRequest, { isPublic }: SitePlace): string =>
  isPublic && headers['sec-fetch-dest'] === 'document' ? '; sandbox' : SANDBOX

const isShown = ({ headers }: FastifyRequest) =>
  ['document', 'iframe', 'frame', 'embed', 'object'].includes(String(headers['sec-fetch-dest']))

/** The policy of a file of the project that is no composition: of a worker, or of what a window shows. */
export const filePolicy = (request: FastifyRequest, place: SitePlace): string =>
  `${policyOf(true, place)}${isShown(request) ? sandboxOf(request, place) : ''}`

/** Whether a request is for a document, and for which file of the project. */
export const documentOf = (request: FastifyRequest): string | undefined => {
  const { raw, headers } = request
  if (!isShown(request) && headers[BY_WORKER] === undefined) return undefined
  return fileOf(raw.url ?? '')
}

const fileOf = (url: string): string | undefined => {
  const [path = ''] = url.slice(1).split(/[?#]/, 1)
  try {
    return /\.html?$/i.test(path) ? decodeURIComponent(path) : undefined
  } catch {
    return undefined
  }
}

/** Whether the page asks for a composition as it is in a format with alpha. */
const asksForAlpha = ({ raw }: FastifyRequest) => /[?&]vid-alpha=1(?:&|$)/.test(raw.url ?? '')

/** The file of the composition whose document asks for another one to show in a frame. */
const outerOf = ({ headers }: FastifyRequest, { host }: SitePlace): string | undefined => {
  const { referer = '' } = headers
  if (!URL.canParse(referer)) return undefined
  const url = new URL(referer)
  return url.host === host ? fileOf(url.pathname) : undefined
}

/** Sends the documents of a site. */
export interface Documents {
  send(file: string, request: FastifyRequest, reply: FastifyReply, place: SitePlace): Promise<FastifyReply>
  /** Forgets what depends on files that have changed. */
  renew(): void
}

/** Sends the beginning of a document and leaves it there, until the browser turns to another one. */
const sendBeginning = (reply: FastifyReply, text: string): FastifyReply => {
  const { raw } = reply.hijack()
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/html; charset=utf-8',
  })
  raw.write(text)
  return reply
}

/** What the documents of a project are made of. */
export interface DocumentParts {
  /** Absolute folder of the project. */
  readonly dir: string
  /** Prepares a document as it is sent. */
  readonly prepare: (document: AskedDocument) => Promise<string>
  /** Every text that is staged in place of one of the project. */
  readonly stagedTexts?: () => readonly string[]
  /** The document in place of a composition that cannot be put together. */
  readonly problem: (error: VidError, pageOrigin: string) => string
}

/** Prepares the documents of a project on request. */
export const createDocuments = ({ dir, prepare, stagedTexts, problem }: DocumentParts): Documents => {
  let hasAddresses: Promise<boolean> | undefined
  /** Whether a text of the project names an address; without one, nothing remote can be fetched. */
  const namesRemote = async () => {
    hasAddresses ??= declaredAddresses(dir).then(({ size }) => size > 0)
    return (await hasAddresses) || (stagedTexts?.() ?? []).some((text) => addressesIn(text).size > 0)
  }
  return {
    async send(file, request, reply, place) {
      const isWatched = request.headers[BY_WORKER] !== undefined
      const policy = `${policyOf(isWatched, place)}${sandboxOf(request, place)}`
      reply.headers({ ...NO_STORE, 'content-security-policy': policy, 'x-dns-prefetch-control': 'off' })
      try {
        if (!isWatched && !place.isPublic && (await namesRemote())) return sendBeginning(reply, STARTING_PAGE)
        const html = await prepare({ file, outer: outerOf(request, place), alpha: asksForAlpha(request) })
        return reply.type('text/html; charset=utf-8').send(html)
      } catch (thrown) {
        if (!isVidError(thrown) || isMachineFault(thrown)) throw thrown
        return reply.type('text/html; charset=utf-8').send(problem(thrown, place.pageOrigin))
      }
    },
    renew() {
      hasAddresses = undefined
    },
  }
}
