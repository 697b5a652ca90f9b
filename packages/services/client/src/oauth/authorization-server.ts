import { describeCause, isVidError } from '@vid/protocol'
import type { AuthorizationServer, Client, ClientAuth, CustomFetchOptions } from 'oauth4webapi'
import { cloudClientErrors, shownText } from '../cloud/refusals.ts'
import { fail } from '../errors.ts'
import { checkAddress, isThisMachine } from '../http/address.ts'

/** Client id of this program at the hosted API, a public client. */
const CLIENT_ID = 'vid-cli'

/** Timeout of one request. */
const REQUEST_MS = 30_000

type OAuth = typeof import('oauth4webapi')

/** The authorization server of a hosted API. */
export interface SignInServer {
  /** Address of the API. */
  readonly url: string
  readonly oauth: OAuth
  readonly server: AuthorizationServer
  readonly client: Client
  readonly clientAuth: ClientAuth
  /** Options of each request. */
  requestOptions(signal: AbortSignal): object
}

/** Fetch for the OAuth library, with a timeout and without redirects; a network failure is a fault of the machine. */
const boundedFetch =
  (url: string, outer: AbortSignal) =>
  async (address: string, options: CustomFetchOptions<string, URLSearchParams | undefined>) => {
    const signal = AbortSignal.any([outer, AbortSignal.timeout(REQUEST_MS)])
    try {
      return await fetch(address, {
        method: options.method,
        headers: options.headers,
        body: options.body ?? null,
        // A redirect could carry a code or token to another host.
        redirect: 'manual',
        signal,
      })
    } catch (cause) {
      outer.throwIfAborted()
      const reason = describeCause((cause as Error).cause ?? cause)
      throw cloudClientErrors.fail('UNREACHABLE', { url, reason }, { cause })
    }
  }

/** The coded error for a failed reply of an authorization server. */
export const signInError = (oauth: OAuth, url: string, thrown: unknown): unknown => {
  if (isVidError(thrown)) return thrown
  if (thrown instanceof oauth.ResponseBodyError || thrown instanceof oauth.AuthorizationResponseError) {
    const facts = { error: shownText(thrown.error), description: shownText(thrown.error_description ?? '') }
    return fail('VID_LOGIN_REFUSED', facts, { cause: thrown })
  }
  return fail('VID_LOGIN_SERVER', { url, reason: shownText(describeCause(thrown)) }, { cause: thrown })
}

const endpoints = ['authorization_endpoint', 'token_endpoint', 'revocation_endpoint'] as const

/** Refuses endpoints to which a code or token would be sent unencrypted. */
const checkEndpoints = (server: AuthorizationServer): void => {
  for (const name of endpoints) {
    const address = server[name]
    if (typeof address !== 'string') continue
    const { origin } = URL.canParse(address) ? new URL(address) : { origin: address }
    checkAddress({ url: origin === 'null' ? address : origin }, cloudClientErrors)
  }
}

/** Discovers the authorization server of a hosted API. */
export const findSignIn = async (apiUrl: string, signal: AbortSignal): Promise<SignInServer> => {
  const url = checkAddress({ url: apiUrl }, cloudClientErrors)
  const oauth = await import('oauth4webapi')
  const requestOptions = (outer: AbortSignal) => ({
    [oauth.customFetch]: boundedFetch(url, outer),
    [oauth.allowInsecureRequests]: isThisMachine(new URL(url).hostname),
  })
  try {
    const address = `${url}/.well-known/oauth-authorization-server`
    const reply = await boundedFetch(url, signal)(address, {
      method: 'GET',
      headers: { accept: 'application/json' },
      body: undefined,
      redirect: 'manual',
    })
    if (reply.status !== 200)
      throw fail('VID_LOGIN_SERVER', { url, reason: `it answers with status ${reply.status} to ${address}` })
    const server = await oauth.processDiscoveryResponse(new URL(url), reply)
    checkEndpoints(server)
    const client = { client_id: CLIENT_ID }
    return { url, oauth, server, client, clientAuth: oauth.None(), requestOptions }
  } catch (thrown) {
    signal.throwIfAborted()
    throw signInError(oauth, url, thrown)
  }
}
