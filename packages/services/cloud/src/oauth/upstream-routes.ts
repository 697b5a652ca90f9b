import { describeCause } from '@vid/protocol'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createItems } from '../accounts/oauth-items.ts'
import { pageRoute } from '../pages/page-route.ts'
import { finish, interactionStep, type SignInParts, type StepHandler, sendHtmlPage } from './interaction-step.ts'
import { INTERACTION_PATH } from './oauth-provider.ts'
import { endedPage } from './sign-in-pages.ts'
import { accountOf, createUpstream, type Upstream, type UpstreamAttempt } from './upstream.ts'

/** Redirect URI at the operator's provider. */
export const UPSTREAM_CALLBACK = '/oauth/callback'
const ATTEMPT_SECONDS = 600

const AWAY = 'The server that signs people in cannot be reached. Try again in a while.'
const NOT_ALLOWED = 'There is no account for your verified e-mail address here. Ask the operator of this server.'

/** Adds the redirect to the operator's OpenID provider and its callback. */
export const addUpstreamRoutes = (scope: FastifyInstance, parts: SignInParts, settings: Upstream): void => {
  const { database } = parts
  const upstream = createUpstream(settings)
  const callbackOf = (publicUrl: string) => `${publicUrl}${UPSTREAM_CALLBACK}`
  const attempts = createItems(database, 'Upstream')
  const refuse = (reply: FastifyReply, problem: string, status: number) =>
    sendHtmlPage(reply, endedPage(problem), status)

  const begin: StepHandler = async ({ details: { uid, prompt }, publicUrl, request, reply }) => {
    if (prompt.name !== 'login') return reply.code(303).header('location', `${INTERACTION_PATH}/${uid}`).send()
    const start = await upstream.begin(uid, callbackOf(publicUrl)).catch((thrown: unknown) => {
      request.log.error({ reason: describeCause(thrown) }, 'the OpenID provider cannot be reached')
      return undefined
    })
    if (!start) return refuse(reply, AWAY, 503)
    const { address, attempt } = start
    await attempts.upsert(uid, attempt, ATTEMPT_SECONDS)
    return reply.code(303).header('location', address).send()
  }
  const end: StepHandler = async (step) => {
    const { details, publicUrl, request, reply } = step
    const { uid, prompt } = details
    const attempt = (await attempts.find(uid)) as UpstreamAttempt | undefined
    // An attempt can be used only once.
    await attempts.destroy(uid)
    if (prompt.name !== 'login' || !attempt) return refuse(reply, 'It has ended.', 400)
    const [, query = ''] = request.url.split('?', 2)
    const person = await upstream.end(`${callbackOf(publicUrl)}?${query}`, attempt).catch((thrown: unknown) => {
      request.log.warn({ reason: describeCause(thrown) }, 'the sign-in at the OpenID provider failed')
      return 'failed' as const
    })
    if (person === 'failed') return refuse(reply, 'You were not signed in.', 400)
    const accountId = person && (await accountOf(database, person, settings.mayCreateAccounts === true))
    if (accountId === undefined) return refuse(reply, NOT_ALLOWED, 403)
    return finish(step, { login: { accountId, amr: ['fed'] } })
  }

  const path = `${INTERACTION_PATH}/:uid/upstream`
  scope.get(path, pageRoute, interactionStep(parts, begin))
  scope.get(`${path}/end`, pageRoute, interactionStep(parts, end))
  // The provider knows a single redirect URI, but the cookie of a sign-in is sent only to its own path.
  scope.get(UPSTREAM_CALLBACK, pageRoute, async (request, reply) => {
    const [, query = ''] = request.url.split('?', 2)
    const uid = /^([\w-]{10,100})\./.exec(new URLSearchParams(query).get('state') ?? '')?.[1]
    if (uid === undefined) return refuse(reply, 'It was not begun here.', 400)
    return reply.code(303).header('location', `${INTERACTION_PATH}/${uid}/upstream/end?${query}`).send()
  })
}
