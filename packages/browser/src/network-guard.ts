import { readFile } from 'node:fs/promises'
import { isVidError, type Warning } from '@vid/kernel'
import { captureFailure, captureWarnings, installHint } from './capture-errors.ts'
import { digestAsset } from './file-digest.ts'
import { readAddress } from './library-address.ts'
import { findOwnLibrary } from './library-own.ts'
import { resolveLibrary } from './library-shelf.ts'
import type { PageLink } from './page-link.ts'
import type { EventParams } from './protocol.ts'
import type { ReadLog } from './read-log.ts'
import type { RemoteAsset, RemoteAssets } from './remote-assets.ts'
import { digestOf } from './sources.ts'

type Request = EventParams['Fetch.requestPaused']

/** Data that a page carries in itself. */
const INLINE = /^(?:data|blob|about):/

/** Why a request cannot be answered by a file that is fetched once, if it cannot. */
const refusal = (method: string, url: string, resourceType: string): string | undefined => {
  if (!/^https?:/.test(url)) return 'only http and https addresses are fetched'
  if (method !== 'GET' && method !== 'HEAD') return `a render sends nothing, and this was a ${method}`
  return resourceType === 'Document' ? 'a composition embeds no page of another site' : undefined
}

/** Lets a page reach its own origin, the shelf of libraries and stored remote files; the network itself never. */
export const guardNetwork = (
  page: PageLink,
  options: {
    readonly origin: string
    readonly mainFrame: string
    readonly projectDir: string
    readonly remote: RemoteAssets
    readonly reads: ReadLog
    warn(warning: Warning): void
  },
): void => {
  const { origin, mainFrame, projectDir, remote, reads, warn } = options
  let loaded = false

  const refuse = (requestId: string) =>
    page.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })

  const fulfil = (requestId: string, { contentType, allowOrigin, body }: RemoteAsset) =>
    page.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: [
        { name: 'content-type', value: contentType },
        ...(allowOrigin === null ? [] : [{ name: 'access-control-allow-origin', value: allowOrigin }]),
      ],
      body: body.toString('base64'),
    })

  const redirect = (requestId: string, location: string) =>
    page.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 302,
      responseHeaders: [
        { name: 'access-control-allow-origin', value: '*' },
        { name: 'location', value: location },
      ],
    })

  /** What the project has installed itself goes first. */
  const findLibrary = async (url: string) => {
    const { looked, found } = await findOwnLibrary(projectDir, url)
    for (const path of looked) reads.read(path, await digestAsset(projectDir, path))
    return found ?? resolveLibrary(url)
  }

  const answer = async ({ requestId, request, frameId, resourceType }: Request): Promise<unknown> => {
    const { url } = request
    if (resourceType === 'Document' && frameId === mainFrame) {
      if (loaded) {
        page.fail(captureFailure('VID_PAGE_NAVIGATED', { url: page.plain(url) }))
        return refuse(requestId)
      }
      loaded = true
    }
    // Videos show extracted frames, and sound is mixed elsewhere: the browser itself plays nothing.
    if (resourceType === 'Media') return refuse(requestId)
    if (url.startsWith(`${origin}/`) || INLINE.test(url))
      return page.send('Fetch.continueRequest', { requestId })
    const library = await findLibrary(url)
    if (library !== undefined && 'redirect' in library) return redirect(requestId, library.redirect)
    // The page is of another origin than the address: modules and `crossorigin` need to be told that it may read.
    if (library !== undefined) {
      if ('other' in library && library.other) warn(captureWarnings.library(library.other))
      const body = await readFile(library.path)
      if ('source' in library) reads.read(library.source, digestOf(body))
      return fulfil(requestId, { ...library, allowOrigin: '*', body })
    }
    const reason = refusal(request.method, url, resourceType)
    if (reason !== undefined) {
      warn(captureWarnings.remote(url, reason))
      return refuse(requestId)
    }
    try {
      const asset = await remote.get(url)
      reads.read(url, digestOf(asset.body))
      return await fulfil(requestId, asset)
    } catch (cause) {
      if (!isVidError(cause)) throw cause
      reads.read(url, null)
      const name = readAddress(url)?.name
      const hint = name === undefined ? cause.hint : installHint(name, readAddress(url)?.version)
      warn({ code: cause.code, message: cause.message, hint })
      return refuse(requestId)
    }
  }

  page.on('Fetch.requestPaused', (paused) => {
    // An answer fails only when the page is gone, which its failure signal tells.
    answer(paused).catch(() => undefined)
  })
}
