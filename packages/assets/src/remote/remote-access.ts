import type { RenderPlan } from '@vid/kernel'
import { assetError } from '../errors.ts'
import { addressesIn, declaredAddresses, normalAddress } from './declared-addresses.ts'
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
}: Pick<RenderPlan, 'network' | 'variables'> & { readonly projectDir: string }): RemoteAccess | undefined => {
  if (network === undefined) return undefined
  let declared: Promise<Set<string>> | undefined
  const readDeclared = async () => {
    const addresses = await declaredAddresses(projectDir)
    // Who gives the variables declares what stands in them.
    for (const address of addressesIn(JSON.stringify(variables))) addresses.add(address)
    return addresses
  }
  const addresses = () => {
    declared ??= readDeclared()
    return declared
  }
  return {
    async check(url) {
      const address = normalAddress(url)
      if (network === 'declared' && address !== undefined && (await addresses()).has(address)) return
      throw assetError('VID_NETWORK_REFUSED', { url: url.replace(/[?#].*/s, ''), network })
    },
    learn(url, { contentType, body }) {
      if (network !== 'declared' || !IS_TEXT.test(contentType)) return
      const linkedAddresses = addressesIn(body.toString('utf8'), url)
      declared = addresses().then((addresses) => new Set([...addresses, ...linkedAddresses]))
    },
  }
}
