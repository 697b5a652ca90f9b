import { readFile } from 'node:fs/promises'
import type { Warning } from '@vid/kernel'
import { captureFailure, captureWarnings } from './capture-errors.ts'
import { resolveLibrary } from './library-shelf.ts'
import type { PageLink } from './page.ts'
import type { EventParams } from './protocol.ts'

type Request = EventParams['Fetch.requestPaused']

/** Data that a page carries in itself. */
const INLINE = /^(?:data|blob|about):/

/** Lets a page reach its own origin and the shelf of libraries, and refuses every other address at once. */
export const guardNetwork = (
  page: PageLink,
  options: { readonly origin: string; readonly mainFrame: string; warn(warning: Warning): void },
): void => {
  const { origin, mainFrame, warn } = options
  let loaded = false

  const refuse = (requestId: string) =>
    page.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })

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
    const library = resolveLibrary(url)
    if (library === undefined) {
      warn(captureWarnings.remote(url))
      return refuse(requestId)
    }
    return page.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: [
        { name: 'content-type', value: library.contentType },
        { name: 'access-control-allow-origin', value: '*' },
      ],
      body: await readFile(library.path, 'base64'),
    })
  }

  page.on('Fetch.requestPaused', (paused) => {
    // An answer fails only when the page is gone, which its failure signal tells.
    answer(paused).catch(() => undefined)
  })
}
