import { changeCredentials, readCredentials } from '../credentials/file.ts'
import { findSignIn } from '../oauth/authorization-server.ts'
import { revokeTokens } from '../oauth/tokens.ts'
import type { StoredCredentials } from '../stored.ts'
import type { LoginPlace } from './login.ts'

/** The outcome of signing out. */
export interface LoggedOut {
  /** Whether a credential was stored. */
  readonly removed: boolean
  /** Why the server could not revoke the token, which may stay valid until it expires. */
  readonly failure?: unknown
}

const REVOKE_MS = 10_000

/** The fields of other programs in the file; undefined if there are none. */
const withoutCredentials = ({
  api_key: _key,
  oauth: _tokens,
  user: _user,
  api_url: _url,
  ...others
}: StoredCredentials): StoredCredentials | undefined => (Object.keys(others).length > 0 ? others : undefined)

/** Removes the stored credential, and revokes it at its server if that can be reached. */
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
