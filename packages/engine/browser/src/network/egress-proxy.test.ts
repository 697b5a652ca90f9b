import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openEgressProxy } from './egress-proxy.ts'

const ORIGIN = 'http://abc.localhost'

/** A proxy that admits one site, which answers with what it was asked. */
const openProxy = async () => {
  const proxy = await openEgressProxy()
  onTestFinished(() => proxy.close())
  const refused: string[] = []
  const retract = proxy.admit({
    origin: ORIGIN,
    answer: ({ method, headers, url }, response) => response.end(`${method} ${headers.host} ${url}`),
    refused: (address) => refused.push(address),
  })
  return { ...proxy, port: Number(new URL(proxy.address).port), refusals: refused, retract }
}

/** Requests an address through the proxy, as a browser does. */
const ask = async (port: number, url: string, method = 'GET') => {
  const asking = request({ host: '127.0.0.1', port, path: url, method, agent: false }).end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, body: await text(answer) }
}

/** The proxy's answer to raw text on a socket. */
const say = async (port: number, words: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1').end(words)
  return text(socket)
}

test('an admitted site answers by its own name, whatever the host header says, until it is retracted', async () => {
  const proxy = await openProxy()
  expect(await ask(proxy.port, `${ORIGIN}/a%20b?c=1`)).toEqual({
    status: 200,
    body: 'GET abc.localhost /a%20b?c=1',
  })
  expect(proxy.refused()).toBe(0)
  proxy.retract()
  expect(await ask(proxy.port, `${ORIGIN}/a`)).toEqual({ status: 403, body: '' })
})

test('everything else is refused and reported: other hosts and ports, addresses with the same prefix, tunnels and upgrades', async () => {
  const proxy = await openProxy()
  const { port } = proxy
  const urls = [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://other.localhost/`,
    `http://abc.localhost.example/`,
    `http://abc.localhost:${port}/`,
    `http://abc.localhost@127.0.0.1:${port}/`,
    'http://abc.localhost?/',
    'https://abc.localhost/',
    'ftp://abc.localhost/',
    '/relative',
  ]
  for (const url of urls) expect(await ask(port, url), url).toEqual({ status: 403, body: '' })
  const host = 'abc.localhost:80'
  expect(await say(port, `CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)).toMatch(/^HTTP\/1.1 403/)
  const upgrade = `GET ${ORIGIN}/ HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`
  expect(await say(port, upgrade)).toMatch(/^HTTP\/1.1 403/)
  expect(proxy.refused()).toBe(urls.length + 2)
  expect(proxy.refusals).toEqual([...urls, host, `${ORIGIN}/`])
})

test('its name cannot be guessed, and it closes with half-open sockets', async () => {
  const proxy = await openProxy()
  expect(proxy.address).toMatch(/^http:\/\/[0-9a-f]{32}\.localhost:\d+$/)
  const socket = connect({ host: '127.0.0.1', port: proxy.port, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.write('CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n')
  await once(socket, 'data')
  await proxy.close()
})

test('where sites share the proxy, a refused request is told to the one that it names, and to no other', async () => {
  const proxy = await openProxy()
  const others: string[] = []
  proxy.admit({
    origin: 'http://other.localhost',
    answer: (_request, response) => response.end(),
    refused: (address) => others.push(address),
  })
  await say(proxy.port, `GET http://x.example/a HTTP/1.1\r\nhost: x\r\norigin: ${ORIGIN}\r\n\r\n`)
  await say(proxy.port, 'GET http://x.example/b HTTP/1.1\r\nhost: x\r\nreferer: http://other.localhost/page\r\n\r\n')
  await say(proxy.port, 'CONNECT x.example:443 HTTP/1.1\r\nhost: x\r\n\r\n')
  expect(proxy.refusals).toEqual(['http://x.example/a'])
  expect(others).toEqual(['http://x.example/b'])
  expect(proxy.refused()).toBe(3)
})
