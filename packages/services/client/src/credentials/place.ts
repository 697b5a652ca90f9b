import { fail } from '../errors.ts'
import type { StoredCredentials } from '../stored.ts'

/** Default address of a server that `vid cloud serve` starts on this machine. */
export const DEFAULT_API_URL = 'http://127.0.0.1:9848'

/** The variables that may hold a key; the first that is set wins. */
export const KEY_VARIABLES = ['HOST_API_KEY', 'VID_API_KEY'] as const

/** Address of the hosted API that an environment selects. */
export const apiUrlOf = (env: NodeJS.ProcessEnv): string => env.HOST_API_URL?.trim() || DEFAULT_API_URL

const canonical = (url: string) => (URL.canParse(url) ? new URL(url).href.replace(/(?<!\/)\/+$/, '') : url)

/** Refuses to use a credential stored for one address at another. */
export const checkCredentialPlace = (
  { api_url: storedFor }: StoredCredentials,
  { path, url }: { readonly path: string; readonly url: string },
): void => {
  if (storedFor !== undefined && canonical(storedFor) !== canonical(url))
    throw fail('VID_CREDENTIALS_ELSEWHERE', { url, path, storedFor })
}
