import { unlisted } from '@vid/server'

/** Options of a route for browsers: no credential, and not part of the OpenAPI document. */
export const pageRoute = {
  schema: unlisted(),
  config: { public: true },
} as const
