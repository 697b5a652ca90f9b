import { fail } from '../errors.ts'
import { findSignIn } from '../oauth/authorization-server.ts'
import { refreshTokens } from '../oauth/tokens.ts'
import { expiryMs, type StoredTokens } from '../stored.ts'
import { changeCredentials, credentialsPath, readCredentials } from './file.ts'
import { checkCredentialPlace, KEY_VARIABLES } from './place.ts'

/**
 * Refreshes the stored tokens unless another process has done so since `stale` was read. A refresh token can be used
 * only once, so the file is read again under its lock.
 */
export const refreshStored = async (
  { path, url }: { readonly path: string; readonly url: string },
  stale: string,
  signal: AbortSignal,
): Promise<StoredTokens> => {
  const signIn = await findSignIn(url, signal)
  const missingError = () => fail('VID_CREDENTIALS_MISSING', { url, path })
  const credentials = await changeCredentials(
    path,
    async (current) => {
      const { oauth } = current
      if (oauth === undefined) throw missingError()
      checkCredentialPlace(current, { path, url })
      if (oauth.access_token !== stale) return current
      return { ...current, oauth: await refreshTokens(signIn, oauth, signal) }
    },
    signal,
  )
  if (credentials?.oauth === undefined) throw missingError()
  return credentials.oauth
}

/** Refreshes the stored tokens, expired or not; fails if the credential is a key. */
export const forceRefresh = async (
  { env, url }: { readonly env: NodeJS.ProcessEnv; readonly url: string },
  signal: AbortSignal,
): Promise<{ readonly expiresAtMs: number | undefined }> => {
  const variable = KEY_VARIABLES.find((name) => env[name]?.trim())
  if (variable !== undefined) throw fail('VID_CREDENTIALS_NO_REFRESH', { source: variable })
  const path = credentialsPath(env)
  const credentials = await readCredentials(path)
  if (credentials?.api_key !== undefined) throw fail('VID_CREDENTIALS_NO_REFRESH', { source: path })
  if (credentials?.oauth === undefined) throw fail('VID_CREDENTIALS_MISSING', { url, path })
  checkCredentialPlace(credentials, { path, url })
  const tokens = await refreshStored({ path, url }, credentials.oauth.access_token, signal)
  return { expiresAtMs: expiryMs(tokens) }
}
