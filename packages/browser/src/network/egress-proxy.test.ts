import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openEgressProxy } from './egress-proxy.ts'

/** A server of this machine that records its requests. */
const startServer = async () => {
  const asked: string[] = []
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.headers.host} ${incoming.url}`)
    response.writeHead(incoming.url === '/missing' ? 404 : 200, { 'x-from': 'the server' })
    response.end('content')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, port: (server.address() as AddressInfo).port }
}

const proxyTo = async (origin: string) => {
  const proxy = await openEgressProxy(origin)
  onTestFinished(() => proxy.close())
  return { ...proxy, port: Number(new URL(proxy.address).port) }
}

/** Requests an address through the proxy, as a browser does. */
const ask = async (port: number, url: string, headers = {}) => {
  const asking = request({ host: '127.0.0.1', port, path: url, headers }).end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, from: answer.headers['x-from'], body: await text(answer) }
}

/** The proxy's answer to raw text on a socket. */
const say = async (port: number, words: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1').end(words)
  return text(socket)
}

test('requests to its origin are forwarded with their host name, and answered with its answers', async () => {
  const { asked, port } = await startServer()
  const origin = `http://abc.localhost:${port}`
  const proxy = await proxyTo(origin)
  expect(await ask(proxy.port, `${origin}/a%20b?c=1`, { 'proxy-connection': 'keep-alive' })).toEqual({
    ...{ status: 200, from: 'the server', body: 'content' },
  })
  expect(await ask(proxy.port, `${origin}/missing`)).toMatchObject({ status: 404 })
  expect(asked).toEqual([`GET abc.localhost:${port} /a%20b?c=1`, `GET abc.localhost:${port} /missing`])
  expect(proxy.refused()).toBe(0)
})

test('everything else is refused: other hosts and ports, addresses with the same prefix, tunnels and upgrades', async () => {
  const { asked, port } = await startServer()
  const proxy = await proxyTo(`http://abc.localhost:${port}`)
  const refused = [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://other.localhost:${port}/`,
    `http://abc.localhost:${port}1/`,
    `http://abc.localhost:${port}@127.0.0.1:${port}/`,
    'http://abc.localhost/',
    '/relative',
  ]
  for (const url of refused) expect(await ask(proxy.port, url), url).toMatchObject({ status: 403, body: '' })
  const host = `abc.localhost:${port}`
  expect(await say(proxy.port, `CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)).toMatch(/^HTTP\/1.1 403/)
  const upgrade = `GET http://${host}/ HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`
  expect(await say(proxy.port, upgrade)).toMatch(/^HTTP\/1.1 403/)
  expect(asked).toEqual([])
  expect(proxy.refused()).toBe(refused.length + 2)
})

test('a stopped server is reported as 502, and the proxy closes with half-open sockets', async () => {
  const proxy = await proxyTo('http://abc.localhost:1')
  expect(await ask(proxy.port, 'http://abc.localhost:1/')).toMatchObject({ status: 502 })
  const socket = connect({ host: '127.0.0.1', port: proxy.port, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.write('CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n')
  await once(socket, 'data')
  await proxy.close()
})
