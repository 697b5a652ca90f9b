import { fetchPublic } from '@vid/assets'
import { describeCause, isVidError } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { CloudSettings } from '../options.ts'
import type { Asset } from './assets.ts'
import type { Intake } from './intake.ts'

const CONNECT_MS = 10_000
const REDIRECTS = 5

/** Removes the query of an address, which may contain secrets. */
const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '')

/** Downloads a project's zip from a public https address and stores it as an asset of the account. */
export const fetchProject = async (
  url: string,
  to: { readonly accountId: string; readonly maxBytes: number; readonly signal: AbortSignal },
  intake: Intake,
  settings: Pick<CloudSettings, 'fetchTimeoutMs' | 'allowPrivateAddresses'>,
): Promise<Asset> => {
  const { allowPrivateAddresses: isOpen, fetchTimeoutMs } = settings
  const { accountId, maxBytes, signal } = to
  const options = {
    privateHosts: isOpen ? ('all' as const) : [],
    protocols: isOpen ? (['https:', 'http:'] as const) : (['https:'] as const),
    limits: { connectMs: CONNECT_MS, totalMs: fetchTimeoutMs, redirects: REDIRECTS },
    signal,
  }
  try {
    return await fetchPublic(url, options, async ({ body }) => {
      const zip = await intake.receive({
        accountId,
        maxBytes,
        signal,
        sourceUrl: withoutQuery(url),
        bytes: body,
      })
      return zip.asset
    })
  } catch (thrown) {
    signal.throwIfAborted()
    if (isVidError(thrown)) throw thrown
    throw fail('VID_CLOUD_PROJECT_ADDRESS', { field: 'project.url', reason: describeCause(thrown) }, { cause: thrown })
  }
}
