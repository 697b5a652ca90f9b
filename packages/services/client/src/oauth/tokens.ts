import type { TokenEndpointResponse } from 'oauth4webapi'
import { fail } from '../errors.ts'
import type { StoredTokens } from '../stored.ts'
import { type SignInServer, signInError } from './authorization-server.ts'

/** Tokens to store; fields missing in a reply keep their earlier values. */
const storedTokens = (reply: TokenEndpointResponse, previous: Partial<StoredTokens> = {}): StoredTokens => {
  const { access_token, refresh_token = previous.refresh_token, token_type, expires_in } = reply
  const scope = reply.scope ?? previous.scope
  const { expires_at: _old, ...others } = previous
  return {
    ...others,
    access_token,
    token_type,
    ...(refresh_token !== undefined && { refresh_token }),
    ...(scope !== undefined && { scope }),
    ...(expires_in !== undefined && { expires_at: Math.floor(Date.now() / 1000) + expires_in }),
  }
}

/** The browser's callback, with the request that it belongs to. */
export interface Callback {
  /** Address of the callback with its query. */
  readonly address: URL
  readonly redirectUri: string
  readonly state: string
  readonly codeVerifier: string
}

/** Exchanges the code of a callback for tokens. */
export const exchangeCode = async (
  signIn: SignInServer,
  { address, redirectUri, state, codeVerifier }: Callback,
  signal: AbortSignal,
): Promise<StoredTokens> => {
  const { url, oauth, server, client, clientAuth } = signIn
  try {
    const parameters = oauth.validateAuthResponse(server, client, address, state)
    const reply = await oauth.authorizationCodeGrantRequest(
      ...([server, client, clientAuth, parameters, redirectUri, codeVerifier] as const),
      signIn.requestOptions(signal),
    )
    return storedTokens(await oauth.processAuthorizationCodeResponse(server, client, reply))
  } catch (thrown) {
    signal.throwIfAborted()
    throw signInError(oauth, url, thrown)
  }
}

/** Exchanges a refresh token for new tokens. */
export const refreshTokens = async (
  signIn: SignInServer,
  tokens: StoredTokens,
  signal: AbortSignal,
): Promise<StoredTokens> => {
  const { url, oauth, server, client, clientAuth } = signIn
  const { refresh_token: refreshToken } = tokens
  if (refreshToken === undefined) throw fail('VID_LOGIN_EXPIRED', { url, reason: 'it has no refresh token' })
  try {
    const options = signIn.requestOptions(signal)
    const reply = await oauth.refreshTokenGrantRequest(server, client, clientAuth, refreshToken, options)
    return storedTokens(await oauth.processRefreshTokenResponse(server, client, reply), tokens)
  } catch (thrown) {
    signal.throwIfAborted()
    if (thrown instanceof oauth.ResponseBodyError && thrown.error === 'invalid_grant') {
      const reason = 'its refresh token was used, revoked, or has expired'
      throw fail('VID_LOGIN_EXPIRED', { url, reason }, { cause: thrown })
    }
    throw signInError(oauth, url, thrown)
  }
}

/** Revokes tokens at the server; false if the server does not support that. */
export const revokeTokens = async (
  signIn: SignInServer,
  { access_token: accessToken, refresh_token: refreshToken }: StoredTokens,
  signal: AbortSignal,
): Promise<boolean> => {
  const { url, oauth, server, client, clientAuth } = signIn
  if (server.revocation_endpoint === undefined) return false
  try {
    const token = refreshToken ?? accessToken
    const options = signIn.requestOptions(signal)
    const reply = await oauth.revocationRequest(server, client, clientAuth, token, options)
    await oauth.processRevocationResponse(reply)
    return true
  } catch (thrown) {
    signal.throwIfAborted()
    throw signInError(oauth, url, thrown)
  }
}
