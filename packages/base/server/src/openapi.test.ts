import { Validator } from '@seriousme/openapi-schema-validator'
import { Type } from '@vid/protocol'
import { expect, test } from 'vitest'
import { startServer } from './fixtures/test-server.ts'
import { type App, createServer, sendFile } from './index.ts'

const addRoutes = (app: App) => {
  const body = Type.Object({ html: Type.Optional(Type.String()), fps: Type.Optional(Type.Number()) })
  app.post(
    '/render/stream',
    {
      schema: {
        operationId: 'renderStream',
        tags: ['render'],
        body: { content: { 'application/json': { schema: body } } },
        response: {
          200: { description: 'Events.', content: { 'text/event-stream': { schema: Type.String() } } },
        },
      },
    },
    async () => 'data',
  )
  app.get(
    '/outputs/:token',
    {
      schema: { operationId: 'output', params: Type.Object({ token: Type.String() }) },
      config: { public: true },
    },
    (request, reply) => sendFile(request, reply, { path: '/nothing', type: 'video/mp4' }),
  )
}

interface Document {
  readonly openapi: string
  readonly paths: Record<string, Record<string, { security?: unknown; responses: Record<string, unknown> }>>
  readonly components: { readonly schemas: object; readonly securitySchemes: object }
}

test('the description of the routes is valid OpenAPI 3.1, with the token and the shared errors', async () => {
  const { url } = await startServer({ tokens: ['token-of-sixteen-characters'] }, addRoutes)
  const text = await (await fetch(`${url}/openapi.json`)).text()
  const document = JSON.parse(text) as Document
  const { valid, errors } = await new Validator().validate(JSON.parse(text) as Record<string, unknown>)
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  expect(document.openapi).toBe('3.1.0')
  expect(document.components.securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer' } })
  expect(document.components.schemas).toHaveProperty('Error.properties.error.properties.code')
  expect(Object.keys(document.paths)).toEqual(['/render/stream', '/outputs/{token}'])
  expect(document.paths['/outputs/{token}']?.get?.security).toEqual([])
  expect(JSON.stringify(document.paths['/render/stream']?.post?.responses)).toContain('#/components/schemas/Error')
})

test('a body described by its types is checked', async () => {
  const { url } = await startServer({}, addRoutes)
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/render/stream`, { method: 'POST', body: '{"fps":"x"}', headers })
  expect(response.status).toBe(400)
})

test('a route without an operation id is refused', async () => {
  const { app } = await createServer({ api: { title: 'Test', version: '1' } })
  expect(() => app.get('/nameless', async () => 'x')).toThrow('/nameless has no operationId')
})
