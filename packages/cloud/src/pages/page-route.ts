import type { FastifySchema } from 'fastify'

/** Options of a route for browsers: it needs no credential, and is no part of the API that OpenAPI describes. */
export const pageRoute = {
  schema: { hide: true } as FastifySchema,
  config: { public: true },
} as const
