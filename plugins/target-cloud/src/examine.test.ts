import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestContext } from '@vid/kernel'
import { expect, onTestFinished, test } from 'vitest'
import cloud from './index.ts'

const REPLY = {
  data: {
    user_id: 'user_1',
    email: 'ann@example.com',
    name: null,
    credential: 'api_key',
    billing: {
      period_start: '2026-11-01T00:00:00Z',
      period_end: '2026-12-01T00:00:00Z',
      rendered_seconds: 0,
      billed_seconds: 0,
      limit_seconds: null,
    },
    limits: { open_renders: 5, upload_bytes: 1000, requests_per_minute: 60 },
  },
}
const REFUSAL = { error: { code: 'unauthorized', message: 'refused' } }

/** The answer of the target, beside a server that knows the token "right". */
const examine = async (apiKey: string, url?: string) => {
  const server = createServer((request, response) => {
    const isKnown = request.headers['x-api-key'] === 'right' && request.url === '/v3/users/me'
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isKnown ? REPLY : REFUSAL))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const target = cloud({ url: url ?? `http://127.0.0.1:${port}`, apiKey })
  const context = { options: target.options, signal: new AbortController().signal }
  return target.examine?.(context as unknown as RequestContext<never>)
}

test('examining the target asks the API whose credential it is', async () => {
  expect(await examine('right')).toContain('accepts the credential of ann@example.com')
})

test('a key that the API refuses, and an API that is away, are errors at once', async () => {
  await expect(examine('wrong-key')).rejects.toMatchObject({
    message: expect.not.stringContaining('wrong-key'),
  })
  await expect(examine('right', 'http://127.0.0.1:1')).rejects.toMatchObject({ code: 'VID_API_UNREACHABLE' })
})
