import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { onTestFinished } from 'vitest'

/** An answer to whatever is asked, which every page may read. */
const ANSWER =
  'HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\nconnection: close\r\ncontent-length: 6\r\n\r\nsecret'

/** Listens on every address of this machine, TCP and UDP, and records what arrives. */
export const openCanary = async () => {
  const arrived: string[] = []
  const open = new Set<Socket>()
  const tcp = createServer((socket) => {
    open.add(socket)
    arrived.push(`a connection from ${socket.remoteAddress}`)
    socket.on('error', () => socket.destroy())
    socket.on('data', (data) => {
      arrived.push(data.toString('latin1').split('\r\n')[0] ?? '')
      socket.end(ANSWER)
    })
  })
  tcp.listen(0, '::')
  await once(tcp, 'listening')
  const { port } = tcp.address() as AddressInfo
  const udp = createSocket('udp6', (packet, { address }) =>
    arrived.push(`a packet of ${packet.length} bytes from ${address}`),
  )
  udp.bind(port, '::')
  await once(udp, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    tcp.close()
    udp.close()
  })
  return { arrived, port }
}

/** Every name under which a page could reach this machine, its addresses on the network included. */
export const namesOfThisMachine = (): string[] => [
  '127.0.0.1',
  '0.0.0.0',
  '[::1]',
  '[::ffff:127.0.0.1]',
  'localhost',
  'x.localhost',
  ...Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
]
