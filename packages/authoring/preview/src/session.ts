import { randomBytes, timingSafeEqual } from 'node:crypto'
import { SHARED } from '@vid/edit'
import { bearerToken, failHttp } from '@vid/server'
import type { FastifyRequest } from 'fastify'

/** Who may use a preview: the browser that opened the address with the token, and commands that read the note of the project. */
export interface PreviewSession {
  /** Part of the address that is shown to the person who started the preview. */
  readonly token: string
  /** Whether a text is the token; measured in constant time. */
  isToken(text: string | undefined): boolean
  /** Value of the header that makes a browser keep the session. */
  cookie(port: number): string
  /** Another token, with which commands of this user reach the shared paths and nothing else. */
  readonly sharedToken: string
  /** The owner of a request; undefined without one. Refuses requests that another page sent. */
  owner(request: FastifyRequest, port: number): string | undefined
}

/** Browsers send cookies to every port of a host: each preview has its own name for its cookie. */
const nameOf = (port: number) => `vid_preview_${port}`

/** An unguessable token, and the check of one in constant time. */
const createToken = () => {
  const token = randomBytes(24).toString('base64url')
  const secret = Buffer.from(token)
  return {
    token,
    isToken(text = '') {
      const candidate = Buffer.from(text)
      return candidate.length === secret.length && timingSafeEqual(candidate, secret)
    },
  }
}

const SHARED_PATHS: ReadonlySet<string> = new Set(Object.values(SHARED))

const cookieOf = ({ headers }: FastifyRequest, name: string): string | undefined =>
  headers.cookie
    ?.split(';')
    .map((pair) => pair.trim().split('='))
    .find(([key]) => key === name)?.[1]

/** Creates the session of one run. */
export const createSession = (): PreviewSession => {
  const { token, isToken } = createToken()
  const shared = createToken()
  return {
    token,
    sharedToken: shared.token,
    isToken,
    cookie: (port) => `${nameOf(port)}=${token}; HttpOnly; SameSite=Strict; Path=/`,
    owner(request, port) {
      const { headers, routeOptions } = request
      // Another port of this machine is the same site: the browser would send it the cookie.
      const site = headers['sec-fetch-site']
      if (site !== undefined && site !== 'same-origin' && site !== 'none')
        throw failHttp('VID_HTTP_ORIGIN', { origin: `another page (${String(site)})` })
      if (SHARED_PATHS.has(routeOptions.url ?? ''))
        return shared.isToken(bearerToken(headers.authorization)) ? 'command' : undefined
      return isToken(cookieOf(request, nameOf(port))) ? 'preview' : undefined
    },
  }
}
