import { readFile } from 'node:fs/promises'
import { isVidError, type Warning } from '@vid/kernel'
import { captureFailure, captureWarnings, installHint } from './capture-errors.ts'
import { digestAsset } from './file-digest.ts'
import { readAddress } from './library-address.ts'
import { findOwnLibrary } from './library-own.ts'
import { resolveLibrary } from './library-shelf.ts'
import type { PageLink } from './page-link.ts'
import type { PageRequest } from './portable-driver.ts'
import type { ReadLog } from './read-log.ts'
import type { RemoteAsset, RemoteAssets } from './remote-assets.ts'
import { digestOf } from './sources.ts'

/** Data that a page carries in itself. */
const INLINE = /^(?:data|blob|about):/

/** What becomes of a request: only what is passed on reaches the network, and there only the page's own origin. */
export type Verdict = 'pass' | 'refuse' | { readonly redirect: string } | { readonly asset: RemoteAsset }

/** Where the files of a page may come from. */
export interface NetworkSources {
  readonly origin: string
  /** Absolute folder of the composition. */
  readonly projectDir: string
  readonly remote: RemoteAssets
  readonly reads: ReadLog
  warn(warning: Warning): void
}

/** Why a request cannot be answered by a file that is fetched once, if it cannot. */
const refusal = ({ method, url, isDocument }: PageRequest): string | undefined => {
  if (!/^https?:/.test(url)) return 'only http and https addresses are fetched'
  if (method !== 'GET' && method !== 'HEAD') return `a render sends nothing, and this was a ${method}`
  return isDocument ? 'a composition embeds no page of another site' : undefined
}

/** Decides what a page may have: its own origin, the shelf of libraries and stored remote files, never the network. */
export const createPolicy = (
  page: Pick<PageLink, 'fail' | 'plain'>,
  { origin, projectDir, remote, reads, warn }: NetworkSources,
): ((request: PageRequest) => Promise<Verdict>) => {
  let loaded = false

  /** What the project has installed itself goes first. */
  const findLibrary = async (url: string) => {
    const { looked, found } = await findOwnLibrary(projectDir, url)
    for (const path of looked) reads.read(path, await digestAsset(projectDir, path))
    return found ?? resolveLibrary(url)
  }

  return async (request) => {
    const { url } = request
    if (request.isDocument && request.isMainFrame) {
      if (loaded) {
        page.fail(captureFailure('VID_PAGE_NAVIGATED', { url: page.plain(url) }))
        return 'refuse'
      }
      loaded = true
    }
    // Videos show extracted frames, and sound is mixed elsewhere: the browser itself plays nothing.
    if (request.isMedia) return 'refuse'
    if (url.startsWith(`${origin}/`) || INLINE.test(url)) return 'pass'
    const library = await findLibrary(url)
    if (library !== undefined && 'redirect' in library) return { redirect: library.redirect }
    // The page is of another origin than the address: modules and `crossorigin` need to be told that it may read.
    if (library !== undefined) {
      if ('other' in library && library.other) warn(captureWarnings.library(library.other))
      const body = await readFile(library.path)
      if ('source' in library) reads.read(library.source, digestOf(body))
      return { asset: { ...library, allowOrigin: '*', body } }
    }
    const reason = refusal(request)
    if (reason !== undefined) {
      warn(captureWarnings.remote(url, reason))
      return 'refuse'
    }
    try {
      const asset = await remote.get(url)
      reads.read(url, digestOf(asset.body))
      return { asset }
    } catch (cause) {
      if (!isVidError(cause)) throw cause
      reads.read(url, null)
      const name = readAddress(url)?.name
      const hint = name === undefined ? cause.hint : installHint(name, readAddress(url)?.version)
      warn({ code: cause.code, message: cause.message, hint })
      return 'refuse'
    }
  }
}
