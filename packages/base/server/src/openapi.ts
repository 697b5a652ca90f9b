import type { TSchema } from '@vid/protocol'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { headOperations, namedWildcards, shareSchemas } from './shared-schemas.ts'

/** General facts for the OpenAPI document. */
export interface ApiTitle {
  readonly title: string
  readonly version: string
  readonly description?: string | undefined
  /** Schemas that are defined once by name and referenced wherever they occur. */
  readonly schemas?: Readonly<Record<string, TSchema>> | undefined
}

/** Authentication schemes in OpenAPI's format. */
export type SecuritySchemes = Readonly<
  Record<
    string,
    | { readonly type: 'http'; readonly scheme: string }
    | { readonly type: 'apiKey'; readonly in: 'header'; readonly name: string }
  >
>

/** The schema of a route that is no part of an API. */
export const unlisted = (parts: { readonly body?: TSchema; readonly querystring?: TSchema } = {}): FastifySchema =>
  ({ hide: true, ...parts }) as FastifySchema

/** Name of the shared error schema. */
const ERROR = 'Error'

/** Licence of the API description, the same as that of the packages. */
const LICENSE = { name: 'MIT', identifier: 'MIT' }

/** Path of the OpenAPI document. */
const ADDRESS = '/openapi.json'

const withErrors = (route: RouteOptions): void => {
  const { schema } = route
  if (schema?.hide) return
  if (schema?.operationId === undefined)
    throw new TypeError(`route ${String(route.method)} ${route.url} has no operationId in its schema`)
  const error = { description: 'Why the request failed.', $ref: `${ERROR}#` }
  const isPublic = route.config?.public === true
  route.schema = {
    ...schema,
    ...(isPublic && { security: [] }),
    response: { ...(schema.response as object | undefined), '4xx': error, '5xx': error },
  }
}

/** Describes every route that is registered after this call, and serves the OpenAPI document. */
export const describeRoutes = async (
  app: FastifyInstance,
  api: ApiTitle,
  errorSchema: TSchema,
  securitySchemes: SecuritySchemes = {},
): Promise<void> => {
  const { default: swagger } = await import('@fastify/swagger')
  app.addSchema({ ...errorSchema, $id: ERROR })
  // Runs before the library's hook, which reads the modified route.
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') withErrors(route)
  })
  const { title, version, description } = api
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version, license: LICENSE, ...(description !== undefined && { description }) },
      // Relative to the document's address, because a proxy may have changed it.
      servers: [{ url: '/' }],
      components: { securitySchemes: { ...securitySchemes } },
      security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    },
    refResolver: { buildLocalReference: ({ $id }, _base, _fragment, index) => String($id ?? `def-${index}`) },
  })
  let document: Readonly<Record<string, unknown>> | undefined
  app.get(ADDRESS, { schema: unlisted(), config: { public: true } }, async () => {
    document ??= headOperations(namedWildcards(shareSchemas({ ...app.swagger() }, api.schemas ?? {})))
    return document
  })
}
