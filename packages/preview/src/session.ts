import { randomBytes, timingSafeEqual } from 'node:crypto'
import { failHttp } from '@vid/server'
import type { FastifyRequest } from 'fastify'

/** Who may use the page and its API: the browser that opened the address with the token. */
export interface PreviewSession {
  /** Part of the address that is shown to the person who started the preview. */
  readonly token: string
  /** Whether a text is the token; measured in constant time. */
  isToken(text: string | undefined): boolean
  /** Value of the header that makes a browser keep the session. */
  cookie(port: number): string
  /** The owner of a request by its cookie; undefined without one. Refuses requests that another page sent. */
  owner(request: FastifyRequest, port: number): string | undefined
}

/** Browsers send cookies to every port of a host: each preview has its own name for its cookie. */
const nameOf = (port: number) => `vid_preview_${port}`

const cookieOf = ({ headers }: FastifyRequest, name: string): string | undefined =>
  headers.cookie
    ?.split(';')
    .map((pair) => pair.trim().split('='))
    .find(([key]) => key === name)?.[1]

/** Creates the session of one run, with an unguessable token. */
export const createSession = (): PreviewSession => {
  const token = randomBytes(24).toString('base64url')
  const secret = Buffer.from(token)
  const isToken = (text = '') => {
    const candidate = Buffer.from(text)
    return candidate.length === secret.length && timingSafeEqual(candidate, secret)
  }
  return {
    token,
    isToken,
    cookie: (port) => `${nameOf(port)}=${token}; HttpOnly; SameSite=Strict; Path=/`,
    owner(request, port) {
      // Another port of this machine is the same site: the browser would send it the cookie.
      const site = request.headers['sec-fetch-site']
      if (site !== undefined && site !== 'same-origin' && site !== 'none')
        throw failHttp('VID_HTTP_ORIGIN', { origin: `another page (${String(site)})` })
      return isToken(cookieOf(request, nameOf(port))) ? 'preview' : undefined
    },
  }
}
