import type { FastifySchema } from 'fastify'

/** Options of a route for browsers: no credential, and not part of the OpenAPI document. */
export const pageRoute = {
  schema: { hide: true } as FastifySchema,
  config: { public: true },
} as const
