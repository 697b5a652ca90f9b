import type { RemoteAsset } from '@vid/assets'
import type { PageLink } from '../driver/page-link.ts'
import type { EventParams } from '../driver/protocol.ts'
import { createPolicy, type NetworkSources } from './network-policy.ts'

type Request = EventParams['Fetch.requestPaused']

/** Carries out the network policy on every request of a page that is driven by the DevTools protocol. */
export const guardNetwork = (page: PageLink, options: NetworkSources & { readonly mainFrame: string }): void => {
  const decide = createPolicy(page, options)

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
    const verdict = await decide({
      ...request,
      isDocument: resourceType === 'Document',
      isMainFrame: frameId === options.mainFrame,
      isMedia: resourceType === 'Media',
    })
    if (verdict === 'pass') return page.send('Fetch.continueRequest', { requestId })
    if (verdict === 'refuse') return page.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
    return 'redirect' in verdict ? redirect(requestId, verdict.redirect) : fulfil(requestId, verdict.asset)
  }

  page.on('Fetch.requestPaused', (paused) => {
    // An answer fails only if the page is closed, which its failure signal reports.
    answer(paused).catch(() => undefined)
  })
}
