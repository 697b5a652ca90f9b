import { fail } from '../errors.ts'
import { findSignIn } from '../oauth/authorization-server.ts'
import { refreshTokens } from '../oauth/tokens.ts'
import { changeCredentials } from './file.ts'
import { checkPlace } from './place.ts'
import type { StoredTokens } from './stored.ts'

/**
 * Refreshes the stored tokens unless another process has done so since `stale` was read: a refresh token can be used once,
 * so the file is read again under its lock.
 */
export const refreshStored = async (
  { path, url }: { readonly path: string; readonly url: string },
  stale: string,
  signal: AbortSignal,
): Promise<StoredTokens> => {
  const signIn = await findSignIn(url, signal)
  const missing = () => fail('VID_CREDENTIALS_MISSING', { url, path })
  const stored = await changeCredentials(
    path,
    async (before) => {
      const { oauth } = before
      if (oauth === undefined) throw missing()
      checkPlace(before, { path, url })
      if (oauth.access_token !== stale) return before
      return { ...before, oauth: await refreshTokens(signIn, oauth, signal) }
    },
    signal,
  )
  if (stored?.oauth === undefined) throw missing()
  return stored.oauth
}
