import type { IncomingHttpHeaders } from 'node:http'
import { bearerToken } from '@vid/server'
import { isApiKey } from './api-keys.ts'

/** The credential of a request, from x-api-key or a bearer token. */
export const credentialIn = (headers: IncomingHttpHeaders): string | undefined => {
  const key = headers['x-api-key']
  return typeof key === 'string' ? key.trim() : bearerToken(headers.authorization)
}

/** Whether a request carries an API key or an access token. */
export const credentialKind = (headers: IncomingHttpHeaders): 'api_key' | 'oauth' =>
  isApiKey(credentialIn(headers) ?? '') ? 'api_key' : 'oauth'
