import { isVidError, type Warning } from '@vid/kernel'
import { captureFailure, captureWarnings } from './capture-errors.ts'
import { createLibraryAnswer, remoteWarning } from './library-answer.ts'
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
  const { origin, mainFrame, remote, reads, warn } = options
  const findLibrary = createLibraryAnswer(options)
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
    if (library !== undefined)
      return 'redirect' in library ? redirect(requestId, library.redirect) : fulfil(requestId, library.asset)
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
      warn(remoteWarning(url, cause))
      return refuse(requestId)
    }
  }

  page.on('Fetch.requestPaused', (paused) => {
    // An answer fails only when the page is gone, which its failure signal tells.
    answer(paused).catch(() => undefined)
  })
}
