import { failHttp, unlisted } from '@vid/server'
import { readPageFile } from '../page-files.ts'
import type { PreviewSession } from '../session.ts'
import type { PreviewParts } from './parts.ts'

/** The page for strangers loads nothing. */
const STRANGER_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

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
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark }
body { display: grid; place-content: center; min-height: 100vh; margin: 0; background: light-dark(#f4f5f7, #131417); color: light-dark(#1c2024, #e6e8eb); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 30rem; margin: 1rem; padding: 1.5rem 2rem; border: 1px solid light-dark(#d3d7dd, #31353c); border-radius: 10px; background: light-dark(#fff, #1a1c20) }
h1 { margin: 0 0 .5rem; font-size: 1.25rem }
p { margin: 0 }
</style>
<main><h1>This preview is closed to this browser</h1>
<p>This preview belongs to another browser, or has been started again. Open the address that <code>vid preview</code> has written in the terminal.</p></main>`

/** Adds the page: its address with the token, which sets the cookie, and its files. */
export const addPageRoutes = ({ app, origin }: PreviewParts, session: PreviewSession, port: () => number): void => {
  const isPublic = { config: { public: true }, schema: unlisted() }
  app.get<{ Querystring: { token?: string } }>('/', isPublic, async (request, reply) => {
    reply.headers(NO_REFERRER).type('text/html; charset=utf-8')
    if (session.isToken(request.query.token)) return reply.header('set-cookie', session.cookie(port())).send(ENTER)
    if (session.owner(request, port()) === undefined)
      return reply.code(401).header('content-security-policy', STRANGER_POLICY).send(STRANGER)
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
