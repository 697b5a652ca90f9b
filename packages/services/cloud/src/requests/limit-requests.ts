import type { App, Authenticate } from '@vid/server'
import { credentialIn } from '../accounts/credential.ts'
import type { RateLimits } from './rate-limits.ts'

/**
 * Authenticates requests, and refuses those beyond the limits of their account or address, including those with wrong
 * credentials.
 */
export const limitedAuthenticate =
  (authenticate: Authenticate, rates: RateLimits): Authenticate =>
  async (request) => {
    if (credentialIn(request.headers) === undefined) {
      rates.address(request.ip)
      return undefined
    }
    const accountId = await authenticate(request)
    if (accountId === undefined) rates.wrongCredential(request.ip)
    else await rates.account(accountId)
    return accountId
  }

/** Routes that load balancers poll. */
const UNLIMITED: ReadonlySet<string> = new Set(['/health', '/ready'])

/** Limits requests to public routes by client address. */
export const limitPublicRoutes = (app: App, rates: RateLimits): void => {
  app.addHook('onRequest', async ({ ip, routeOptions }) => {
    const { config, url = '' } = routeOptions
    if (config.public === true && !UNLIMITED.has(url)) rates.address(ip)
  })
}
