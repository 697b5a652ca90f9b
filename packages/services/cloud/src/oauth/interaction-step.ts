import type { App } from '@vid/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { Database } from '../database/database.ts'
import type { HtmlPage } from '../pages/html.ts'
import type { OAuthServer } from './oauth-provider.ts'
import { endedPage } from './sign-in-pages.ts'
import type { Upstream } from './upstream.ts'

/** Dependencies of the sign-in pages. */
export interface SignInParts {
  readonly app: App
  readonly database: Database
  readonly server: () => Promise<OAuthServer>
  /** The operator's OpenID provider, used in place of the password form. */
  readonly upstream?: Upstream | undefined
}

/** The current step of a browser's sign-in. */
export type Details = Awaited<ReturnType<Provider['interactionDetails']>>
/** A request for a step, and its reply. */
export interface StepRequest {
  readonly details: Details
  readonly provider: Provider
  readonly publicUrl: string
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}
/** Handles a request for a step. */
export type StepHandler = (step: StepRequest) => Promise<FastifyReply>

/** Sends a page. */
export const sendHtmlPage = (reply: FastifyReply, { body, headers }: HtmlPage, status = 200) =>
  reply.code(status).headers(headers).send(body)

/** Why a step does not exist. */
export const ENDED = 'It has ended, was begun in another browser, or cookies are switched off.'

/** Runs a step of the sign-in that this browser began; without one, or after it expired, sends an error page. */
export const interactionStep =
  ({ server }: Pick<SignInParts, 'server'>, handle: StepHandler) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { uid } = request.params as { readonly uid: string }
    const { provider, publicUrl } = await server()
    const details = await provider.interactionDetails(request.raw, reply.raw).catch((thrown: unknown) => {
      if ((thrown as Error).name === 'SessionNotFound') return undefined
      throw thrown
    })
    if (details?.uid !== uid) return sendHtmlPage(reply, endedPage(ENDED), 400)
    return handle({ details, provider, publicUrl, request, reply })
  }

/** Passes the result of a step to the OAuth server and redirects the browser. */
export const finish = async (
  { provider, request, reply }: StepRequest,
  result: Parameters<Provider['interactionResult']>[2],
): Promise<FastifyReply> => {
  const to = await provider.interactionResult(request.raw, reply.raw, result)
  return reply.code(303).header('location', to).header('cache-control', 'no-store').send()
}
