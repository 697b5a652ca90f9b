import { isLoopback } from '@vid/server'
import type { Configuration } from 'openid-client'
import { createAccount, normalEmail } from '../accounts/accounts.ts'
import type { Database } from '../database/database.ts'

/** The operator's OpenID provider, which signs people in. */
export interface Upstream {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Creates an account for a verified e-mail address that has none. */
  readonly mayCreateAccounts?: boolean | undefined
}

/** State kept while a browser is at the provider. */
export interface UpstreamAttempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The person who signed in at the provider. */
export interface UpstreamPerson {
  readonly email: string
  readonly name: string | undefined
}

/** Creates a client of an OpenID provider; it fetches the provider's metadata on first use. */
export const createUpstream = ({ issuer, clientId, clientSecret }: Upstream) => {
  let discovery: Promise<Configuration> | undefined
  const open = (): Promise<Configuration> => {
    const discover = async () => {
      const client = await import('openid-client')
      const url = new URL(issuer)
      // Plain HTTP is allowed only on the loopback.
      const execute = isLoopback(url.hostname) ? [client.allowInsecureRequests] : []
      return client.discovery(url, clientId, clientSecret, undefined, { execute })
    }
    discovery ??= discover().catch((thrown: unknown) => {
      discovery = undefined
      throw thrown
    })
    return discovery
  }
  return {
    /** Returns the address to redirect the browser to, and the state to keep until the callback. */
    async begin(
      uid: string,
      callbackUrl: string,
    ): Promise<{ readonly address: string; readonly attempt: UpstreamAttempt }> {
      const client = await import('openid-client')
      const configuration = await open()
      const attempt = {
        // The first part identifies the browser's sign-in in the callback.
        state: `${uid}.${client.randomState()}`,
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const address = client.buildAuthorizationUrl(configuration, {
        redirect_uri: callbackUrl,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      })
      return { address: address.href, attempt }
    },
    /** Returns the person that a callback identifies; undefined if the provider has not verified an e-mail address. */
    async end(address: string, attempt: UpstreamAttempt): Promise<UpstreamPerson | undefined> {
      const client = await import('openid-client')
      const configuration = await open()
      const tokens = await client.authorizationCodeGrant(configuration, new URL(address), {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.verifier,
      })
      const claims = tokens.claims()
      const { email, email_verified: isVerified, name } = { ...claims }
      if (typeof email !== 'string' || isVerified !== true) return undefined
      return { email, name: typeof name === 'string' ? name : undefined }
    },
  }
}

/** The account of a person; undefined if it is disabled, or missing and may not be created. */
export const accountOf = async (
  database: Database,
  { email, name }: UpstreamPerson,
  mayCreate: boolean,
): Promise<string | undefined> => {
  const find = async () => {
    const [account] = await database.rows<{ id: string; isDisabled: boolean }>(
      'SELECT id, disabled_at IS NOT NULL AS "isDisabled" FROM vid.accounts WHERE email = $1',
      [normalEmail(email)],
    )
    return account
  }
  const account = await find()
  if (account || !mayCreate) return account?.isDisabled === false ? account.id : undefined
  const usable = name !== undefined && name.trim() !== '' && name.length <= 200 && !/\p{Cc}/u.test(name)
  const newAccount = await createAccount(database, { email, ...(usable && { name }) }).catch((thrown: unknown) => {
    // Created at the same moment by another sign-in of the same person.
    if ((thrown as { readonly code?: unknown }).code === 'VID_CLOUD_ACCOUNT_EXISTS') return find()
    throw thrown
  })
  return newAccount?.id
}
