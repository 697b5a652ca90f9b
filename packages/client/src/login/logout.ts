import { changeCredentials, readCredentials } from '../credentials/file.ts'
import { findSignIn } from '../oauth/authorization-server.ts'
import { revokeTokens } from '../oauth/tokens.ts'
import type { StoredCredentials } from '../stored.ts'
import type { LoginPlace } from './login.ts'

/** What signing out has done. */
export interface LoggedOut {
  /** Whether a credential was stored. */
  readonly removed: boolean
  /** Why the server could not revoke the token; it may accept it until it expires. */
  readonly failure?: unknown
}

const REVOKE_MS = 10_000

/** What other programs keep in the file; undefined for nothing. */
const withoutCredentials = ({
  api_key: _key,
  oauth: _tokens,
  user: _user,
  api_url: _url,
  ...others
}: StoredCredentials): StoredCredentials | undefined => (Object.keys(others).length > 0 ? others : undefined)

/** Removes the stored credential, and ends the sign-in at the server that it is for, as far as that can be reached. */
export const logout = async ({ path, url, signal = new AbortController().signal }: LoginPlace): Promise<LoggedOut> => {
  const credentials = await readCredentials(path)
  if (credentials === undefined || (credentials.api_key === undefined && credentials.oauth === undefined))
    return { removed: false }
  let lastCredentials: StoredCredentials = credentials
  await changeCredentials(
    path,
    (current) => {
      lastCredentials = current
      return withoutCredentials(current)
    },
    signal,
  )
  if (lastCredentials.oauth === undefined) return { removed: true }
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(REVOKE_MS)])
    await revokeTokens(await findSignIn(lastCredentials.api_url ?? url, limited), lastCredentials.oauth, limited)
    return { removed: true }
  } catch (failure) {
    return { removed: true, failure }
  }
}
