import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  describeCause,
  failRender,
  isMachineFault,
  rethrowMachineFault,
  type Static,
  Type,
  Value,
  type Warning,
} from '@vid/protocol'
import { boundFolder, digestOf, writeWhole } from '@vid/system'
import { assetError } from '../errors.ts'
import { assetWarning } from '../warnings.ts'
import type { RemoteAccess } from './remote-access.ts'
import { downloadAsset, type RemoteAsset, type RemoteLimits, remoteLimits } from './remote-download.ts'

const IndexEntry = Type.Object({
  url: Type.String(),
  /** SHA-256 of the content, which is stored under that name. */
  digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  contentType: Type.String(),
  /** Value of the header that lets pages of other origins read it, if the server sent one. */
  allowOrigin: Type.Union([Type.String(), Type.Null()]),
})
type IndexEntry = Static<typeof IndexEntry>

/** Remote files of compositions, fetched once and cached. */
export interface RemoteAssets {
  /** The file at an address; rejects with VID_REMOTE_FAILED, which names the address. */
  get(url: string): Promise<RemoteAsset>
  /** Absolute path of the cached file, for programs that read it themselves. */
  file(url: string): Promise<string>
  /** Files that are being fetched. */
  fetching(): number
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Files that were used this recently may still be in use in another process. */
const RECENT_MS = 60 * 60 * 1000

const keep = (path: string, data: string | Uint8Array) =>
  writeWhole(path, (partial) => writeFile(partial, data, { mode: 0o600 }))

/** The error of a machine that could not do something with a file that is there; the query of its address may be a secret. */
const lacking = (doing: string, url: string, cause: unknown) =>
  failRender(
    'VID_MACHINE_LACKS',
    { doing: `${doing} ${url.replace(/[?#].*$/s, '')}`, reason: describeCause(cause) },
    { cause },
  )

/** Opens the remote files of one render in a cache folder; a file is fetched again once it is a day old. */
export const openRemoteAssets = (options: {
  readonly cacheDir: string
  /** Hosts, as `name` or `name:port`, that may be at private addresses. */
  readonly privateHosts: readonly string[]
  readonly signal: AbortSignal
  readonly limits?: Partial<RemoteLimits>
  /** What may be fetched; without it every public address. */
  readonly access?: RemoteAccess | undefined
  /** Called when an old copy is used, since a file could not be fetched again. */
  warn?(warning: Warning): void
}): RemoteAssets => {
  const { access } = options
  const folder = join(options.cacheDir, 'remote')
  const limits = { ...remoteLimits, ...options.limits }
  const eviction = boundFolder(folder, { maxBytes: limits.cacheBytes, keepMs: RECENT_MS })
  // Within one render an address has one content, even if the server changes it.
  const assets = new Map<string, Promise<RemoteAsset>>()
  let fetching = 0

  const load = async (
    url: string,
    maxAgeMs: number,
  ): Promise<{ readonly asset: RemoteAsset; readonly fetched: Date } | undefined> => {
    try {
      const index = join(folder, `${digestOf(url)}.json`)
      const { mtime } = await stat(index)
      if (Date.now() - mtime.getTime() > maxAgeMs) return undefined
      const entry: unknown = JSON.parse(await readFile(index, 'utf8'))
      if (!Value.Check(IndexEntry, entry) || entry.url !== url) return undefined
      const body = await readFile(join(folder, entry.digest))
      if (digestOf(body) !== entry.digest) return undefined
      await eviction.touch(join(folder, entry.digest))
      return { asset: { ...entry, body }, fetched: mtime }
    } catch (cause) {
      // Missing or damaged: it is fetched again.
      return rethrowMachineFault(cause)
    }
  }

  const store = async (url: string, asset: RemoteAsset) => {
    const { body, contentType, allowOrigin } = asset
    const entry: IndexEntry = { url, digest: digestOf(body), contentType, allowOrigin }
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await keep(join(folder, entry.digest), body)
    await eviction.add(join(folder, entry.digest), body.length)
    await keep(join(folder, `${digestOf(url)}.json`), JSON.stringify(entry))
  }

  const fetchOnce = async (url: string): Promise<RemoteAsset> => {
    const fresh = await load(url, DAY_MS)
    if (fresh) return fresh.asset
    try {
      const asset = await downloadAsset(url, { ...options, limits })
      // Without a writable cache the file is fetched again next time; the render goes on.
      await store(url, asset).catch(() => undefined)
      return asset
    } catch (cause) {
      if (isMachineFault(cause)) throw lacking('fetching', url, cause)
      options.signal.throwIfAborted()
      const reason = describeCause(cause)
      const stale = await load(url, Number.POSITIVE_INFINITY)
      if (!stale) throw assetError('VID_REMOTE_FAILED', { url, reason }, { cause })
      options.warn?.(assetWarning('VID_REMOTE_STALE', { url, reason, fetched: stale.fetched.toISOString() }))
      return stale.asset
    }
  }

  const fetchAllowed = async (url: string): Promise<RemoteAsset> => {
    fetching += 1
    try {
      await access?.check(url)
      const asset = await fetchOnce(url)
      access?.learn(url, asset)
      return asset
    } finally {
      fetching -= 1
    }
  }

  const get = (url: string) => {
    const asset = assets.get(url) ?? fetchAllowed(url)
    assets.set(url, asset)
    return asset
  }
  const writeFor = async (url: string): Promise<string> => {
    const { body } = await get(url)
    // A video need not stay in memory once it is in a file.
    assets.delete(url)
    const path = join(folder, digestOf(body))
    const isThere = await stat(path).then(
      ({ size }) => size === body.length,
      () => false,
    )
    if (isThere) {
      await eviction.touch(path)
      return path
    }
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await keep(path, body)
      await eviction.add(path, body.length)
      return path
    } catch (cause) {
      throw lacking('keeping', url, cause)
    }
  }
  const files = new Map<string, Promise<string>>()
  return {
    get,
    fetching: () => fetching,
    file(url) {
      const file = files.get(url) ?? writeFor(url)
      files.set(url, file)
      return file
    },
  }
}
