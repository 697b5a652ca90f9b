import { clientGone } from '@vid/server'
import type { Provider } from 'oidc-provider'
import type { Sql } from '../database/database.ts'
import { pageRoute } from '../pages/page-route.ts'
import { checkSignIn } from './check-sign-in.ts'
import {
  type Details,
  ENDED,
  finish,
  interactionStep,
  type SignInParts,
  type StepHandler,
  sendHtmlPage,
} from './interaction-step.ts'
import { CLIENT_ID, INTERACTION_PATH } from './oauth-provider.ts'
import { consentPage, endedPage, signInPage } from './sign-in-pages.ts'
import { addUpstreamRoutes } from './upstream-routes.ts'

const FORM_BYTES = 16 * 1024

/** Grants all requested scopes, which the consent page lists. */
const grantAll = async (provider: Provider, { session, params }: Details): Promise<string> => {
  const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: CLIENT_ID })
  grant.addOIDCScope(String(params.scope ?? ''))
  return grant.save()
}

const accountName = async (sql: Sql, id: string): Promise<string> => {
  const [row] = await sql.rows<{ name: string }>(
    'SELECT COALESCE(email, name, id) AS name FROM vid.accounts WHERE id = $1',
    [id],
  )
  return row?.name ?? id
}

const PROBLEMS = {
  wrong: 'The e-mail address or the password is wrong.',
  'too many': 'There were too many attempts. Try again in a quarter of an hour.',
} as const

/** Adds the pages on which people sign in and give the command access. */
export const addSignInRoutes = async (parts: SignInParts): Promise<void> => {
  const { app, database, upstream } = parts
  const options = { ...pageRoute, bodyLimit: FORM_BYTES } as const
  const pathOf = ({ uid }: Details) => `${INTERACTION_PATH}/${uid}`

  const show: StepHandler = async ({ details, reply }) => {
    const { prompt, session } = details
    if (prompt.name === 'consent')
      return sendHtmlPage(reply, consentPage(pathOf(details), await accountName(database, session?.accountId ?? '')))
    if (upstream)
      return reply
        .code(303)
        .header('location', `${pathOf(details)}/upstream`)
        .send()
    return sendHtmlPage(reply, signInPage(pathOf(details)))
  }
  const signIn: StepHandler = async (step) => {
    const { details, request, reply } = step
    const form = request.body as URLSearchParams
    const email = form.get('email') ?? ''
    const password = form.get('password') ?? ''
    if (details.prompt.name !== 'login' || upstream) return sendHtmlPage(reply, endedPage(ENDED), 400)
    const client = { address: request.ip, signal: clientGone(reply) }
    const outcome = await checkSignIn(database, { email, password }, client)
    if (outcome.accountId === undefined) {
      const problem = PROBLEMS[outcome.problem]
      return sendHtmlPage(
        reply,
        signInPage(pathOf(details), { problem, email }),
        outcome.problem === 'wrong' ? 401 : 429,
      )
    }
    return finish(step, { login: { accountId: outcome.accountId, amr: ['pwd'] } })
  }
  const allow: StepHandler = async (step) => {
    const { details, provider, reply } = step
    if (details.prompt.name !== 'consent') return sendHtmlPage(reply, endedPage(ENDED), 400)
    const grantId = await grantAll(provider, details)
    return finish(step, { consent: { grantId } })
  }
  const cancel: StepHandler = async (step) =>
    finish(step, {
      error: 'access_denied',
      error_description: 'the sign-in was cancelled',
    })

  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    const path = `${INTERACTION_PATH}/:uid`
    scope.get(path, options, interactionStep(parts, show))
    scope.post(`${path}/sign-in`, options, interactionStep(parts, signIn))
    scope.post(`${path}/allow`, options, interactionStep(parts, allow))
    scope.post(`${path}/cancel`, options, interactionStep(parts, cancel))
    if (upstream) addUpstreamRoutes(scope, parts, upstream)
  })
}
