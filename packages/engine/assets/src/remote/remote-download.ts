import { afterServed, withinServed } from '@vid/system'
import { type CheckedAddress, leadingTo, resolvePublic } from './public-address.ts'

/** A remote file as the server gave it. */
export interface RemoteAsset {
  readonly contentType: string
  readonly allowOrigin: string | null
  readonly body: Buffer
}

/** Bounds of one download, and of all that are kept. */
export interface RemoteLimits {
  readonly bytes: number
  readonly connectMs: number
  readonly totalMs: number
  readonly redirects: number
  /** Bytes that all files together may take on disk. */
  readonly cacheBytes: number
}

/** Default bounds: an address that does not answer is reported within seconds. */
export const remoteLimits: RemoteLimits = {
  bytes: 256 * 2 ** 20,
  connectMs: 4_000,
  totalMs: 30_000,
  redirects: 5,
  cacheBytes: 4 * 2 ** 30,
}

/** How files are fetched from addresses that strangers choose. */
export interface PublicFetch {
  /** Hosts, as `name` or `name:port`, that may be at private addresses; `all` for every one. */
  readonly privateHosts: readonly string[] | 'all'
  /** Schemes that may be fetched; http and https if left out. */
  readonly protocols?: readonly ('http:' | 'https:')[]
  readonly signal: AbortSignal
  readonly limits: Pick<RemoteLimits, 'connectMs' | 'totalMs' | 'redirects'>
}

/** A successful answer, whose body is not read yet. */
export interface PublicAnswer {
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array>
}

/** Parses an address, and throws when nothing may be sent to it. */
const checkAddress = (text: string, protocols: readonly string[] = ['https:', 'http:']): URL => {
  const url = new URL(text)
  if (!protocols.includes(url.protocol))
    throw new Error(`${url.protocol} is not ${protocols.includes('http:') ? 'http' : 'https'}`)
  if (url.username || url.password) throw new Error('it carries a user name or password')
  return url
}

/** The chunks of a body; fails when they are more than `limit` bytes. */
async function* limitedBody(chunks: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > limit) throw new Error(`it is larger than ${limit} bytes`)
    yield chunk
  }
}

const readBody = async (chunks: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer> => {
  const parts: Uint8Array[] = []
  for await (const chunk of limitedBody(chunks, limit)) parts.push(chunk)
  return Buffer.concat(parts)
}

/**
 * Fetches an address without credentials and has `use` read the answer; each redirect is resolved and checked, and the
 * checked IP address is the one that is connected to.
 */
export const fetchPublic = async <T>(
  from: string,
  options: PublicFetch,
  use: (answer: PublicAnswer) => Promise<T>,
): Promise<T> => {
  const { totalMs } = options.limits
  const late = () => new Error(`no whole answer within ${totalMs / 1000} s`)
  return withinServed(totalMs, (signal) => fetchChecked(from, { ...options, signal }, use), {
    signal: options.signal,
    late,
  })
}

/** Connects within served time, so that a busy machine does not blame the server. */
const connectorOf = async (address: CheckedAddress, connectMs: number) => {
  const { buildConnector } = await import('undici')
  const connect = buildConnector({ timeout: 0, lookup: leadingTo(address) })
  const connectInTime: typeof connect = (options, callback) => {
    let isLate = false
    const cancel = afterServed(connectMs, () => {
      isLate = true
      callback(new Error(`no connection within ${connectMs / 1000} s`), null)
    })
    connect(options, (...[error, socket]) => {
      cancel()
      if (isLate) socket?.destroy()
      else if (error) callback(error, null)
      else callback(null, socket as NonNullable<typeof socket>)
    })
  }
  return connectInTime
}

const fetchChecked = async <T>(
  from: string,
  { signal, limits, privateHosts, protocols }: PublicFetch,
  use: (answer: PublicAnswer) => Promise<T>,
): Promise<T> => {
  const { Agent, fetch } = await import('undici')
  let url = checkAddress(from, protocols)
  for (let hop = 0; hop <= limits.redirects; hop += 1) {
    const mayBePrivate =
      privateHosts === 'all' || privateHosts.includes(url.host) || privateHosts.includes(url.hostname)
    const address = await resolvePublic(url.hostname, mayBePrivate)
    const agent = new Agent({ connect: await connectorOf(address, limits.connectMs) })
    try {
      const response = await fetch(url, { dispatcher: agent, redirect: 'manual', signal })
      const location = response.headers.get('location')
      if (response.status >= 300 && response.status < 400 && location !== null) {
        url = checkAddress(new URL(location, url).href, protocols)
        continue
      }
      if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`)
      return await use({ headers: response.headers, body: response.body })
    } catch (cause) {
      // The cause says more than "fetch failed".
      throw cause instanceof TypeError && cause.cause instanceof Error ? cause.cause : cause
    } finally {
      await agent.destroy()
    }
  }
  throw new Error(`more than ${limits.redirects} redirects`)
}

/** Fetches a file into memory. */
export const downloadAsset = (
  from: string,
  options: {
    readonly privateHosts: readonly string[]
    readonly signal: AbortSignal
    readonly limits: RemoteLimits
  },
): Promise<RemoteAsset> =>
  fetchPublic(from, options, async ({ headers, body }) => ({
    contentType: headers.get('content-type') ?? 'application/octet-stream',
    allowOrigin: headers.get('access-control-allow-origin'),
    body: await readBody(body, options.limits.bytes),
  }))
