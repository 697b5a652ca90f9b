import type { App } from '@vid/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { Database } from '../database/database.ts'
import type { Page } from '../pages/html.ts'
import type { OAuthServer } from './oauth-provider.ts'
import { endedPage } from './sign-in-pages.ts'
import type { Upstream } from './upstream.ts'

/** What sign-in pages work with. */
export interface SignInParts {
  readonly app: App
  readonly database: Database
  readonly server: () => Promise<OAuthServer>
  /** The operator's own OpenID provider, which signs in instead of the password form. */
  readonly upstream?: Upstream | undefined
}

/** A step that a browser is at. */
export type Details = Awaited<ReturnType<Provider['interactionDetails']>>
/** A request of a step, and what it is answered with. */
export interface StepRequest {
  readonly details: Details
  readonly provider: Provider
  readonly publicUrl: string
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}
/** Answers one request of a step. */
export type Handler = (step: StepRequest) => Promise<FastifyReply>

/** Answers with a page. */
export const sendPage = (reply: FastifyReply, { body, headers }: Page, status = 200) =>
  reply.code(status).headers(headers).send(body)

/** Why a step is not there. */
export const ENDED = 'It has ended, was begun in another browser, or cookies are switched off.'

/** Runs a step of the sign-in that this browser began; another browser, or a late one, gets an error page. */
export const step =
  ({ server }: Pick<SignInParts, 'server'>, handle: Handler) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { uid } = request.params as { readonly uid: string }
    const { provider, publicUrl } = await server()
    const details = await provider.interactionDetails(request.raw, reply.raw).catch((thrown: unknown) => {
      if ((thrown as Error).name === 'SessionNotFound') return undefined
      throw thrown
    })
    if (details?.uid !== uid) return sendPage(reply, endedPage(ENDED), 400)
    return handle({ details, provider, publicUrl, request, reply })
  }

/** Gives the result of a step to the OAuth server, and sends the browser on. */
export const finish = async (
  { provider, request, reply }: StepRequest,
  result: Parameters<Provider['interactionResult']>[2],
): Promise<FastifyReply> => {
  const to = await provider.interactionResult(request.raw, reply.raw, result)
  return reply.code(303).header('location', to).header('cache-control', 'no-store').send()
}
