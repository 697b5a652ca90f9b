import { createHash, type Hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { fetchPublic, type PublicAnswer } from '@vid/assets'
import { describeCause, isSystemFault, isVidError } from '@vid/protocol'
import { browserError } from '../errors.ts'

/** Options of a download. */
export interface FetchRules {
  /** The user's mirror, which may be at a private address and use http. */
  readonly mirror: string | undefined
  readonly signal: AbortSignal
  /** Called with the number of received bytes, and the total if the server sends it. */
  onProgress?(bytes: number, total: number | undefined): void
}

const LIMITS = { connectMs: 10_000, totalMs: 900_000, redirects: 5 }
const MAX_TEXT_BYTES = 16 * 2 ** 20
const MAX_ZIP_BYTES = 512 * 2 ** 20

const fetchFrom = async <T>(
  url: string,
  { mirror, signal }: FetchRules,
  use: (answer: PublicAnswer) => Promise<T>,
): Promise<T> => {
  const isPlain = mirror?.startsWith('http:') === true
  try {
    return await fetchPublic(
      url,
      {
        signal,
        limits: LIMITS,
        privateHosts: mirror === undefined ? [] : 'all',
        protocols: isPlain ? ['https:', 'http:'] : ['https:'],
      },
      use,
    )
  } catch (cause) {
    signal.throwIfAborted()
    if (isVidError(cause)) throw cause
    throw browserError('VID_BROWSER_DOWNLOAD', { url, reason: describeCause(cause) }, { cause })
  }
}

/** The chunks of a body, counted. */
async function* counted(
  { headers, body }: PublicAnswer,
  limit: number,
  onProgress: FetchRules['onProgress'],
): AsyncGenerator<Uint8Array> {
  const length = headers.get('content-encoding') === null ? headers.get('content-length') : null
  const total = length === null ? undefined : Number(length)
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > limit) throw new Error(`it is larger than ${limit} bytes`)
    yield chunk
    onProgress?.(bytes, total)
  }
  if (total !== undefined && bytes !== total) throw new Error(`${bytes} of ${total} bytes have arrived`)
}

/** Fetches a text. */
export const fetchText = (url: string, rules: FetchRules): Promise<string> =>
  fetchFrom(url, rules, async (answer) => {
    const parts: Uint8Array[] = []
    for await (const chunk of counted(answer, MAX_TEXT_BYTES, undefined)) parts.push(chunk)
    return Buffer.concat(parts).toString('utf8')
  })

/** The expected digest: from the index, otherwise from the headers of Google's storage. */
const expected = (sha256: string | undefined, { headers }: PublicAnswer) => {
  if (sha256 !== undefined) return { hash: createHash('sha256'), digest: sha256 }
  const md5 = /(?:^|,\s*)md5=([\w+/=]+)/.exec(headers.get('x-goog-hash') ?? '')?.[1]
  return md5 === undefined ? undefined : { hash: createHash('md5'), digest: Buffer.from(md5, 'base64').toString('hex') }
}

const checkDigest = (expectation: { readonly hash: Hash; readonly digest: string } | undefined): void => {
  const digest = expectation?.hash.digest('hex')
  if (expectation && digest !== expectation.digest)
    throw new Error(`its digest is ${digest}, and should be ${expectation.digest}`)
}

/** Fetches a zip to a new file, and checks its length and digest. */
export const fetchZip = (
  url: string,
  path: string,
  { sha256, ...rules }: FetchRules & { readonly sha256: string | undefined },
): Promise<void> =>
  fetchFrom(url, rules, async (answer) => {
    const expectation = expected(sha256, answer)
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of counted(answer, MAX_ZIP_BYTES, rules.onProgress)) {
        expectation?.hash.update(chunk)
        await file.writeFile(chunk)
      }
    } catch (cause) {
      if (isSystemFault(cause))
        throw browserError('VID_BROWSER_UNPACK_FAILED', {
          archive: url,
          folder: path,
          reason: describeCause(cause),
        })
      throw cause
    } finally {
      await file.close()
    }
    checkDigest(expectation)
  })
