import type { CloudCredential, CredentialSource } from '../cloud/credential.ts'
import { fail } from '../errors.ts'
import { expiryMs, type StoredTokens } from '../stored.ts'
import { credentialsPath, readCredentials } from './file.ts'
import { checkCredentialPlace, KEY_VARIABLES } from './place.ts'
import { refreshStored } from './refresh.ts'

/** Tokens that expire sooner are refreshed before use, in milliseconds. */
const FRESH_MS = 60_000

/** A credential and its source. */
export interface ResolvedCredential {
  /** The name of a variable, or the path of the file. */
  readonly source: string
  readonly kind: 'api_key' | 'oauth'
  readonly credential: CredentialSource
  /** When the token expires, in milliseconds since 1970. */
  readonly expiresAtMs?: number | undefined
}

/** Where to look for credentials, and for which API. */
export interface CredentialQuestion {
  readonly env: NodeJS.ProcessEnv
  /** Address of the API. */
  readonly url: string
}

/** Stored tokens, refreshed when they expire or are refused. */
const tokenSource = (place: { readonly path: string; readonly url: string }, first: StoredTokens): CredentialSource => {
  let tokens = first
  let refreshing: Promise<StoredTokens> | undefined
  const refresh = async (stale: string, signal: AbortSignal) => {
    if (tokens.access_token !== stale) return
    refreshing ??= refreshStored(place, stale, signal).finally(() => {
      refreshing = undefined
    })
    tokens = await refreshing
  }
  return {
    async current(signal) {
      const expires = expiryMs(tokens)
      const isStale = expires !== undefined && expires - Date.now() < FRESH_MS
      if (isStale && tokens.refresh_token !== undefined) await refresh(tokens.access_token, signal)
      return { accessToken: tokens.access_token }
    },
    async renew(rejectedCredential, signal) {
      if (!('accessToken' in rejectedCredential)) return false
      await refresh(rejectedCredential.accessToken, signal)
      return tokens.access_token !== rejectedCredential.accessToken
    },
  }
}

/**
 * Finds the credential for an address in the environment, otherwise in the file; one from the file is only sent to its
 * own address.
 */
export const resolveCredential = async ({ env, url }: CredentialQuestion): Promise<ResolvedCredential> => {
  const fixed = (credential: CloudCredential): CredentialSource => ({ current: async () => credential })
  for (const source of KEY_VARIABLES) {
    const apiKey = env[source]?.trim()
    if (apiKey) return { source, kind: 'api_key', credential: fixed({ apiKey }) }
  }
  const path = credentialsPath(env)
  const credentials = await readCredentials(path)
  const { api_key: apiKey, oauth } = credentials ?? {}
  if (credentials === undefined || (apiKey === undefined && oauth === undefined))
    throw fail('VID_CREDENTIALS_MISSING', { url, path })
  checkCredentialPlace(credentials, { path, url })
  if (apiKey !== undefined) return { source: path, kind: 'api_key', credential: fixed({ apiKey }) }
  const tokens = oauth as StoredTokens
  const credential = tokenSource({ path, url }, tokens)
  return { source: path, kind: 'oauth', credential, expiresAtMs: expiryMs(tokens) }
}
