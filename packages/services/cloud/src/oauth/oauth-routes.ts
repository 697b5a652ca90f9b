import type { App } from '@vid/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pageRoute } from '../pages/page-route.ts'
import { sendHtmlPage } from './interaction-step.ts'
import { OAUTH_ROUTES, type OAuthServer } from './oauth-provider.ts'
import { endedPage } from './sign-in-pages.ts'

const DISCOVERY = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']

/** Mounts the OAuth server, which answers its routes with its own framework. */
export const addOAuthRoutes = async (app: App, server: () => Promise<OAuthServer>): Promise<void> => {
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { publicUrl, answer } = await server()
    const { protocol, host } = new URL(publicUrl)
    const { raw } = request
    // Forwarded headers are not trusted; the public address determines the scheme and the host.
    raw.headers['x-forwarded-proto'] = protocol.slice(0, -1)
    raw.headers['x-forwarded-host'] = host
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    reply.hijack()
    await answer(raw, reply.raw)
  }
  await app.register(async (scope) => {
    // The OAuth server parses bodies itself.
    scope.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, done) => done(null))
    for (const path of [...DISCOVERY, OAUTH_ROUTES.jwks, OAUTH_ROUTES.userinfo]) scope.get(path, pageRoute, handle)
    scope.get(OAUTH_ROUTES.authorization, pageRoute, async (request, reply) => {
      // In the other modes the library replies with pages that contain scripts, even if the client may not use those
      // modes.
      const modes = new URL(request.url, 'http://any').searchParams.getAll('response_mode')
      if (modes.every((mode) => mode === 'query')) return handle(request, reply)
      return sendHtmlPage(reply, endedPage('invalid_request: the only response mode is "query"'), 400)
    })
    scope.get(`${OAUTH_ROUTES.authorization}/:uid`, pageRoute, handle)
    for (const path of [OAUTH_ROUTES.token, OAUTH_ROUTES.revocation]) scope.post(path, pageRoute, handle)
  })
}
