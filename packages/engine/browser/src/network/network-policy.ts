import type { InputLog, RemoteAsset, RemoteAssets } from '@vid/assets'
import { createLibraryAnswer, remoteWarning } from '@vid/assets'
import { describeCause, failRender, isMachineFault, isVidError, type Warning } from '@vid/protocol'
import { digestOf } from '@vid/system'
import { captureFailure } from '../capture-errors.ts'
import { captureWarning } from '../capture-warnings.ts'
import type { PageLink } from '../driver/page-link.ts'
import type { PageRequest } from '../driver/portable-driver.ts'

/** Schemes of data that a page contains itself. */
const INLINE = /^(?:data|blob|about):/

/** The decision about a request: only `pass` reaches the network, and only for the page's own origin. */
export type Verdict = 'pass' | 'refuse' | { readonly redirect: string } | { readonly asset: RemoteAsset }

/** The sources of a page's files. */
export interface NetworkSources {
  readonly origin: string
  /** Absolute folder of the composition. */
  readonly projectDir: string
  readonly remote: RemoteAssets
  readonly inputs: InputLog
  warn(warning: Warning): void
  readonly note?: ((reason: string) => void) | undefined
}

/** Why a request cannot be answered with a fetched file; undefined when it can. */
const refusal = ({ method, url, isDocument }: PageRequest): string | undefined => {
  if (!/^https?:/.test(url)) return 'only http and https addresses are fetched'
  if (method !== 'GET' && method !== 'HEAD') return `a render sends nothing, and this was a ${method}`
  return isDocument ? 'a composition embeds no page of another site' : undefined
}

/**
 * Lets the page read an image of another site regardless of CORS, because the runtime must read it to show it at the
 * time of a frame. An image that it cannot read follows the real clock.
 */
const withReadableImage = (asset: RemoteAsset): RemoteAsset =>
  asset.contentType.startsWith('image/') ? { ...asset, allowOrigin: '*' } : asset

/**
 * Decides about a page's requests: it gets files of its own origin, bundled libraries and fetched remote files, never
 * the network.
 */
export const createPolicy = (
  page: Pick<PageLink, 'fail' | 'failedLoads' | 'plain'>,
  sources: NetworkSources,
): ((request: PageRequest) => Promise<Verdict>) => {
  const { origin, remote, inputs, warn } = sources
  let loaded = false

  const answerLibrary = createLibraryAnswer(sources)

  const decide = async (request: PageRequest): Promise<Verdict> => {
    const { url } = request
    if (request.isDocument && request.isMainFrame) {
      if (loaded) {
        page.fail(captureFailure('VID_PAGE_NAVIGATED', { url: page.plain(url) }))
        return 'refuse'
      }
      loaded = true
    }
    // Videos show extracted frames and ffmpeg mixes the sound, so the browser plays no media.
    if (request.isMedia) return 'refuse'
    if (url.startsWith(`${origin}/`) || INLINE.test(url)) return 'pass'
    const library = await answerLibrary(url)
    if (library !== undefined) return library
    const reason = refusal(request)
    if (reason !== undefined) {
      page.failedLoads.add(url)
      warn(captureWarning('VID_REMOTE_BLOCKED', { url, reason }))
      return 'refuse'
    }
    try {
      const asset = await remote.get(url)
      inputs.read(url, digestOf(asset.body))
      return { asset: withReadableImage(asset) }
    } catch (cause) {
      if (!isVidError(cause) || isMachineFault(cause)) throw cause
      inputs.read(url, null)
      page.failedLoads.add(url)
      warn(remoteWarning(url, cause))
      return 'refuse'
    }
  }
  return async (request) => {
    try {
      return await decide(request)
    } catch (cause) {
      if (!isMachineFault(cause)) throw cause
      const facts = {
        doing: `answering ${page.plain(request.url).replace(/[?#].*$/s, '')}`,
        reason: describeCause(cause),
      }
      page.fail(isVidError(cause) ? cause : failRender('VID_MACHINE_LACKS', facts, { cause }))
      return 'refuse'
    }
  }
}
