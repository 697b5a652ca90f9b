import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, onTestFinished, test } from 'vitest'
import { counts } from '../fixtures/commands.ts'
import { makeFolder, partsOf } from '../fixtures/session-parts.ts'
import { serveHttp } from './http.ts'

const TOKEN = 'a-token-of-this-test-alone'

const open = async (idleMs?: number) => {
  const parts = await partsOf(await makeFolder())
  const server = await serveHttp(parts, { port: 0, token: TOKEN, ...(idleMs !== undefined && { idleMs }) })
  onTestFinished(() => server.close())
  return server
}

const connect = async (url: string, token = TOKEN) => {
  const client = new Client({ name: 'tester', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  await client.connect(transport as Parameters<Client['connect']>[0])
  onTestFinished(() => client.close())
  return { client, transport }
}

test('two clients at once have a session each', async () => {
  const server = await open()
  const [one, two] = [await connect(server.url), await connect(server.url)]
  expect(server.clients()).toBe(2)
  const answers = await Promise.all([one, two].map(({ client }) => client.callTool({ name: 'lint', arguments: {} })))
  expect(answers.map(({ structuredContent }) => (structuredContent as { warnings: number }).warnings)).toEqual([3, 3])
  await one.transport.terminateSession()
  expect(server.clients()).toBe(1)
})

test.each([
  ['no token', {}, 401],
  ['another token', { authorization: 'Bearer another-token-of-this-test' }, 401],
  ['another host', { authorization: `Bearer ${TOKEN}`, host: 'evil.example' }, 421],
  ['a page of another origin', { authorization: `Bearer ${TOKEN}`, origin: 'https://evil.example' }, 403],
  ['an unknown session', { authorization: `Bearer ${TOKEN}`, 'mcp-session-id': 'none' }, 404],
])('a request with %s is refused', async (_, headers, status) => {
  const server = await open()
  const { request } = await import('node:http')
  const code = await new Promise((resolve, reject) => {
    const sent = request(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    })
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))
  })
  expect(code).toBe(status)
})

test('a connection that is lost ends its call, and a client that does not come back its session', async () => {
  const server = await open(500)
  const { client, transport } = await connect(server.url)
  const { begun, ended } = counts
  const calling = client.callTool({ name: 'check' }).catch(() => 'ended')
  await expect.poll(() => counts.begun).toBe(begun + 1)
  // Closes its connections without a word to the server, as a process that is killed does.
  await transport.close()
  expect(await calling).toBe('ended')
  await expect.poll(() => [counts.ended, server.clients()]).toEqual([ended + 1, 0])
})

test('a server that closes ends the calls of its clients', async () => {
  const server = await open()
  const { client } = await connect(server.url)
  const { begun, ended } = counts
  const calling = client.callTool({ name: 'check' }).catch(() => 'ended')
  await expect.poll(() => counts.begun).toBe(begun + 1)
  await server.close()
  expect(counts.ended).toBe(ended + 1)
  await client.close()
  expect(await calling).toBe('ended')
})
