import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { captureFailure } from '../capture-errors.ts'
import { orAborted, withDeadline } from '../driver/deadline.ts'
import type { PortablePage } from '../driver/portable-driver.ts'
import type { EgressProxy } from './egress-proxy.ts'

/** Longest time that a page may take for its attempts. */
const ATTEMPTS_MS = 20_000

/** Longest time that a peer connection may search for candidates. */
const PEER_MS = 3_000

/** Script that tries to reach ports of this machine by every means that a page has. */
const attempts = (tcp: number, udp: number) => `(async () => {
  const host = ['127.0.0.1', 'localhost', '[::1]']
  const asked = host.map((name) => fetch('http://' + name + ':${tcp}/', { mode: 'no-cors' }))
  const shown = host.map((name) => new Promise((done) => {
    const image = new Image()
    image.onload = image.onerror = done
    image.src = 'http://' + name + ':${tcp}/image'
  }))
  const sockets = host.map((name) => new Promise((done) => {
    try {
      const socket = new WebSocket('ws://' + name + ':${tcp}/')
      socket.onopen = socket.onerror = socket.onclose = done
    } catch { done() }
  }))
  const peer = typeof RTCPeerConnection === 'undefined' ? undefined : (async () => {
    const connection = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udp}' }] })
    connection.createDataChannel('out')
    const gathered = new Promise((done) => {
      connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && done()
      setTimeout(done, ${PEER_MS})
    })
    await connection.setLocalDescription(await connection.createOffer())
    await gathered
    connection.close()
  })()
  await Promise.allSettled([...asked, ...shown, ...sockets, peer])
})()`

/** Listens on ports that no page may reach, and records what arrives. */
const openCanary = async () => {
  const arrived: string[] = []
  const tcp = createServer((socket) => {
    arrived.push('a connection to this machine')
    socket.destroy()
  })
  const udp = createSocket('udp4', () => {}).on('message', () => arrived.push('a packet to this machine'))
  tcp.listen(0, '127.0.0.1')
  udp.bind(0, '127.0.0.1')
  await Promise.all([once(tcp, 'listening'), once(udp, 'listening')])
  return {
    arrived,
    tcp: (tcp.address() as AddressInfo).port,
    udp: udp.address().port,
    close() {
      tcp.close()
      udp.close()
    },
  }
}

/**
 * Verifies that a browser's pages cannot bypass the egress proxy, by a page that tries to without any other guard.
 * Rejects with VID_BROWSER_UNGUARDED, which names what arrived.
 */
export const proveEgressProxy = async (
  newPage: () => Promise<PortablePage>,
  proxy: Pick<EgressProxy, 'address' | 'refused'>,
  executable: string,
  signal: AbortSignal,
): Promise<void> => {
  const canary = await openCanary()
  const before = proxy.refused()
  const nothing = () => undefined
  const { portable, close } = await orAborted(newPage(), signal)
  try {
    const trying = async () => {
      await portable.open({
        width: 16,
        height: 16,
        scale: 1,
        script: '',
        proxy: proxy.address,
        answer: async () => 'pass',
        listener: {
          loaded: nothing,
          crashed: nothing,
          gone: nothing,
          dialog: nothing,
          popup: nothing,
          download: nothing,
          logged: nothing,
          failed: nothing,
        },
      })
      return portable.evaluate(attempts(canary.tcp, canary.udp))
    }
    const late = async () => new Error(`a new page did not finish within ${ATTEMPTS_MS / 1000} s`)
    const outcome = await withDeadline(orAborted(trying(), signal), ATTEMPTS_MS, late)
    if ('thrown' in outcome) canary.arrived.push(`an error instead of an answer: ${outcome.thrown}`)
    // Without a refused request, the page has not tried, so nothing is proven.
    if (proxy.refused() === before) canary.arrived.push('none of the attempts reached the proxy')
  } finally {
    await close().catch(() => undefined)
    canary.close()
  }
  const [through] = canary.arrived
  if (through !== undefined) throw captureFailure('VID_BROWSER_UNGUARDED', { executable, through })
}
