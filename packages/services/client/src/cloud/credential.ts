import type { Authority } from '../http/connection.ts'

/** The credential of each request: a key as `x-api-key`, or a token as `Authorization: Bearer`. */
export type CloudCredential = { readonly apiKey: string } | { readonly accessToken: string }

/** A credential that may change while a client uses it. */
export interface CredentialSource {
  current(signal: AbortSignal): Promise<CloudCredential>
  /** Called if the server refused a credential with 401; resolves to whether there is a new one. */
  renew?(rejectedCredential: CloudCredential, signal: AbortSignal): Promise<boolean>
}

const secretOf = (credential: CloudCredential) => ('apiKey' in credential ? credential.apiKey : credential.accessToken)

const isSource = (credential: CloudCredential | CredentialSource): credential is CredentialSource =>
  'current' in credential

/** Converts a credential to the headers of a connection. */
export const authorityOf = (credential: CloudCredential | CredentialSource): Authority => {
  const source: CredentialSource = isSource(credential) ? credential : { current: async () => credential }
  let latest: CloudCredential | undefined
  return {
    async header(signal) {
      latest = await source.current(signal)
      const secret = secretOf(latest)
      return 'apiKey' in latest
        ? { name: 'x-api-key', value: secret, secret }
        : { name: 'authorization', value: `Bearer ${secret}`, secret }
    },
    async renew(secret, signal) {
      if (!source.renew) return false
      // Another request may have renewed it in the meantime.
      if (latest === undefined || secretOf(latest) !== secret) return true
      return source.renew(latest, signal)
    },
  }
}
