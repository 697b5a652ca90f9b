import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openGate } from './egress-proxy.ts'

/** A server of this machine that tells what it was asked. */
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

const gateTo = async (origin: string) => {
  const gate = await openGate(origin)
  onTestFinished(() => gate.close())
  return { ...gate, port: Number(new URL(gate.address).port) }
}

/** Asks the gate for an address, as a browser asks its proxy. */
const ask = async (port: number, url: string, headers = {}) => {
  const asking = request({ host: '127.0.0.1', port, path: url, headers }).end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, from: answer.headers['x-from'], body: await text(answer) }
}

/** What the gate writes to a socket that says this. */
const say = async (port: number, words: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1').end(words)
  return text(socket)
}

test('requests to its origin pass, under their own host name and with their answers', async () => {
  const { asked, port } = await startServer()
  const origin = `http://abc.localhost:${port}`
  const gate = await gateTo(origin)
  expect(await ask(gate.port, `${origin}/a%20b?c=1`, { 'proxy-connection': 'keep-alive' })).toEqual({
    ...{ status: 200, from: 'the server', body: 'content' },
  })
  expect(await ask(gate.port, `${origin}/missing`)).toMatchObject({ status: 404 })
  expect(asked).toEqual([`GET abc.localhost:${port} /a%20b?c=1`, `GET abc.localhost:${port} /missing`])
  expect(gate.refused()).toBe(0)
})

test('nothing else passes: other hosts and ports, addresses that begin alike, tunnels and sockets', async () => {
  const { asked, port } = await startServer()
  const gate = await gateTo(`http://abc.localhost:${port}`)
  const refused = [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://other.localhost:${port}/`,
    `http://abc.localhost:${port}1/`,
    `http://abc.localhost:${port}@127.0.0.1:${port}/`,
    'http://abc.localhost/',
    '/relative',
  ]
  for (const url of refused) expect(await ask(gate.port, url), url).toMatchObject({ status: 403, body: '' })
  const host = `abc.localhost:${port}`
  expect(await say(gate.port, `CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)).toMatch(/^HTTP\/1.1 403/)
  const upgrade = `GET http://${host}/ HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`
  expect(await say(gate.port, upgrade)).toMatch(/^HTTP\/1.1 403/)
  expect(asked).toEqual([])
  expect(gate.refused()).toBe(refused.length + 2)
})

test('a server that is gone is told, and the gate closes with sockets left half open', async () => {
  const gate = await gateTo('http://abc.localhost:1')
  expect(await ask(gate.port, 'http://abc.localhost:1/')).toMatchObject({ status: 502 })
  const socket = connect({ host: '127.0.0.1', port: gate.port, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.write('CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n')
  await once(socket, 'data')
  await gate.close()
})
