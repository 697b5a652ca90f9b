import type { TSchema } from '@vid/protocol'
import type { FastifySchema } from 'fastify'

/** The schema of a route that the API's description names. */
export const operation = (
  operationId: string,
  parts: { readonly body?: TSchema; readonly querystring?: TSchema } = {},
): FastifySchema => ({ operationId, ...parts }) as FastifySchema
