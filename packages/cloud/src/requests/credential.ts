import type { IncomingHttpHeaders } from 'node:http'
import { bearerToken } from '@vid/server'

/** How keys of accounts begin; access tokens begin otherwise. */
const KEY_PREFIX = 'vid_live_'

/** What a request proves with who sends it; undefined for a request without a credential. */
export const credentialIn = (headers: IncomingHttpHeaders): string | undefined => {
  const key = headers['x-api-key']
  return typeof key === 'string' ? key : bearerToken(headers.authorization)
}

/** Whether the credential of a request is a key of an account, rather than an access token. */
export const isApiKey = (headers: IncomingHttpHeaders): boolean =>
  credentialIn(headers)?.startsWith(KEY_PREFIX) ?? false
