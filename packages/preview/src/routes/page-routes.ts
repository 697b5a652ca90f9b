import { failHttp } from '@vid/server'
import { readPageFile } from '../page-files.ts'
import type { PreviewSession } from '../session.ts'
import { unlisted } from './operation.ts'
import type { RouteParts } from './parts.ts'

/** What a page of the preview may load, show and send to. */
const policyOf = (origin: string) =>
  [
    "default-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    `frame-src ${origin}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const NO_REFERRER = { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' } as const

/** Loads the page at its address without the token; a navigation that the page itself begins carries the cookie. */
const ENTER = `<!doctype html><meta charset="utf-8"><title>Preview</title><meta http-equiv="refresh" content="0; url=/">`

const STRANGER = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Preview</title>
<p>This preview belongs to another browser, or has been started again. Open the address that <code>vid preview</code> has written in the terminal.</p>`

/** Adds the page: its address with the token, which sets the cookie, and its files. */
export const addPageRoutes = (
  { app, origin }: RouteParts,
  session: PreviewSession,
  port: () => number,
): void => {
  const isPublic = { config: { public: true }, schema: unlisted() }
  app.get<{ Querystring: { token?: string } }>('/', isPublic, async (request, reply) => {
    reply.headers(NO_REFERRER).type('text/html; charset=utf-8')
    if (session.isToken(request.query.token))
      return reply.header('set-cookie', session.cookie(port())).send(ENTER)
    if (session.owner(request, port()) === undefined) return reply.code(401).send(STRANGER)
    const page = await readPageFile('index.html')
    if (!page) throw failHttp('VID_HTTP_NOT_FOUND', {})
    return reply.header('content-security-policy', policyOf(origin())).send(page.body)
  })
  app.get<{ Params: { '*': string } }>('/*', { schema: unlisted() }, async ({ params }, reply) => {
    const file = await readPageFile(params['*'])
    if (!file) throw failHttp('VID_HTTP_NOT_FOUND', {})
    return reply.headers({ 'cache-control': 'no-cache' }).type(file.type).send(file.body)
  })
}
