import { type Reading, readHere } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import { assetError } from '../errors.ts'
import { type AddressText, linkedAddressesTask, projectAddressesTask } from './address-tasks.ts'
import { normalAddress } from './declared-addresses.ts'
import type { RemoteAsset } from './remote-download.ts'

/** Which addresses the pages and sources of a render may have fetched. */
export interface RemoteAccess {
  /** Rejects with VID_NETWORK_REFUSED for an address that may not be fetched. */
  check(url: string): Promise<void>
  /** Declares the addresses that a fetched text names: its request could carry nothing, so they cannot either. */
  learn(url: string, asset: RemoteAsset): void
}

/** Content that can name further files. */
const IS_TEXT = /^(?:text\/|image\/svg|application\/(?:[\w.+-]*(?:javascript|json|xml)))/i

/** The access that a plan allows; undefined for one that allows every public address. */
export const createRemoteAccess = ({
  network,
  projectDir,
  variables,
  signal = new AbortController().signal,
  reading = readHere,
}: Pick<RenderPlan, 'network' | 'variables'> & {
  readonly projectDir: string
  readonly signal?: AbortSignal
  /** Where texts are read; in this thread if left out. */
  readonly reading?: Reading | undefined
}): RemoteAccess | undefined => {
  if (network === undefined) return undefined
  let declared: Promise<readonly AddressText[]> | undefined
  const addresses = () => {
    declared ??= reading(projectAddressesTask, { entry: '.', projectDir, variables }, signal).then((text) => [text])
    return declared
  }
  return {
    async check(url) {
      const address = normalAddress(url)
      const isIn = (text: AddressText) => text.includes(`\n${address}\n`)
      if (network === 'declared' && address !== undefined && (await addresses()).some(isIn)) return
      throw assetError('VID_NETWORK_REFUSED', { url: url.replace(/[?#].*/s, ''), network })
    },
    learn(url, { contentType, body }) {
      if (network !== 'declared' || !IS_TEXT.test(contentType)) return
      const linked = reading(linkedAddressesTask, { entry: url, body, url }, signal)
      const both = Promise.all([addresses(), linked])
      declared = both.then(([texts, text]) => [...texts, text])
      // Who asks for an address gets the error.
      declared.catch(() => {})
    },
  }
}
