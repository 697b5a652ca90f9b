import { isVidError } from '@vid/protocol'
import { createCloudClient } from '../cloud/client.ts'
import type { CloudCredential } from '../cloud/credential.ts'
import type { CloudUser } from '../contract/index.ts'
import { changeCredentials } from '../credentials/file.ts'
import { fail } from '../errors.ts'
import { findSignIn, type SignInServer } from '../oauth/authorization-server.ts'
import { exchangeCode } from '../oauth/tokens.ts'
import type { StoredCredentials } from '../stored.ts'
import { type Listener, openListener } from './listener.ts'
import { failedPage, signedInPage } from './pages.ts'

const SCOPE = 'openid email offline_access renders'
const TIMEOUT_MS = 120_000

/** Where a sign-in is stored. */
export interface LoginPlace {
  /** Address of the API. */
  readonly url: string
  /** Path of the credentials file. */
  readonly path: string
  readonly signal?: AbortSignal | undefined
}

/** Options of a sign-in. */
export interface LoginOptions extends LoginPlace {
  /** Called with the address to open in a browser. */
  onAddress(address: string): void
  /** Milliseconds to wait for the person; 120,000 if left out. */
  readonly timeoutMs?: number | undefined
}

/** The account of a credential according to the API. */
const askUser = async (url: string, credential: CloudCredential, signal: AbortSignal): Promise<CloudUser> => {
  const client = createCloudClient({ url, credential })
  try {
    return await client.me({ signal })
  } finally {
    await client.close()
  }
}

/** Stores a credential of one kind in place of any other, with its address. */
const store = async (
  { path, url }: LoginPlace,
  secrets: Pick<StoredCredentials, 'api_key' | 'oauth'>,
  { user_id, email, name }: CloudUser,
  signal: AbortSignal,
): Promise<void> => {
  const change = ({ api_key: _key, oauth: _tokens, ...others }: StoredCredentials) => ({
    ...others,
    ...secrets,
    api_url: url,
    user: { user_id, email, name },
  })
  await changeCredentials(path, change, signal)
}

const authorizationAddress = async (
  { oauth, server, client, url }: SignInServer,
  redirectUri: string,
  state: string,
  codeVerifier: string,
): Promise<string> => {
  const { authorization_endpoint: endpoint } = server
  if (endpoint === undefined) throw fail('VID_LOGIN_SERVER', { url, reason: 'it names no authorization endpoint' })
  const address = new URL(endpoint)
  const parameters = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: SCOPE,
    // A server that does not ask for consent issues no refresh token.
    prompt: 'consent',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address.href
}

/** Waits for the person; the caller's signal keeps its own reason. */
const waitForReturn = async (listener: Listener, timeoutMs: number, outer: AbortSignal) => {
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    return await listener.returned(AbortSignal.any([outer, deadline]))
  } catch (thrown) {
    outer.throwIfAborted()
    if (!deadline.aborted) throw thrown
    throw fail('VID_LOGIN_TIMEOUT', { seconds: Math.round(timeoutMs / 1000) })
  }
}

/** Signs a person in by a browser and stores the tokens; resolves to their account. */
export const login = async (options: LoginOptions): Promise<CloudUser> => {
  const { onAddress, timeoutMs = TIMEOUT_MS, signal = new AbortController().signal } = options
  const signIn = await findSignIn(options.url, signal)
  const { oauth, url } = signIn
  const state = oauth.generateRandomState()
  const codeVerifier = oauth.generateRandomCodeVerifier()
  const listener = await openListener(state)
  try {
    const { redirectUri } = listener
    onAddress(await authorizationAddress(signIn, redirectUri, state, codeVerifier))
    const { address, answer } = await waitForReturn(listener, timeoutMs, signal)
    try {
      const tokens = await exchangeCode(signIn, { address, redirectUri, state, codeVerifier }, signal)
      const user = await askUser(url, { accessToken: tokens.access_token }, signal)
      await store({ ...options, url }, { oauth: tokens }, user, signal)
      await answer(signedInPage)
      return user
    } catch (thrown) {
      await answer(failedPage(isVidError(thrown) ? `${thrown.message}.` : 'Something went wrong.'))
      throw thrown
    }
  } finally {
    await listener.close()
  }
}

/** Stores a key once the API has accepted it; resolves to its account. */
export const storeApiKey = async (
  apiKey: string,
  { url, path, signal = new AbortController().signal }: LoginPlace,
): Promise<CloudUser> => {
  const user = await askUser(url, { apiKey }, signal)
  await store({ url, path }, { api_key: apiKey }, user, signal)
  return user
}
