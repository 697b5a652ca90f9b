import { lookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'

// Special-purpose ranges of the IANA registries: nothing that a composition should load lives there.
const ranges: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]

const special = new BlockList()
for (const range of ranges) special.addSubnet(...range)

/** Whether an IP address is on the public internet; an IPv4 address inside IPv6 counts as itself. */
export const isPublicAddress = (address: string): boolean =>
  // The list knows IPv4-mapped addresses as the IPv4 addresses that they carry.
  !special.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether an address is this machine's own: its servers may trust every request from there. */
const isOwnAddress = (address: string): boolean => {
  const ownAddresses = new BlockList()
  for (const entry of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []))
    ownAddresses.addAddress(entry.address, entry.family === 'IPv6' ? 'ipv6' : 'ipv4')
  return ownAddresses.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** These names mean this machine, whatever a resolver says (RFC 6761). */
const isLoopbackName = (name: string) => /(?:^|\.)localhost\.?$/i.test(name)

/** Code of the cause of a refusal. */
const REFUSED = 'ADDRESS_REFUSED'

/** Why a host is not connected to. One text for all, so that strangers cannot learn which names exist in a private network. */
const notPublic = (host: string, cause: unknown): Error => new Error(`${host} has no public address`, { cause })

/** Whether `resolvePublic` has refused an address, which is not worth another try; its cause says why. */
export const isRefusedAddress = (thrown: unknown): boolean =>
  thrown instanceof Error && (thrown.cause as { readonly code?: unknown } | undefined)?.code === REFUSED

/** An IP address that may be connected to. */
export interface CheckedAddress {
  readonly address: string
  /** 4 or 6. */
  readonly family: number
}

/** Resolves every name to the address that was checked: a second lookup might lead elsewhere. */
export const leadingTo =
  (checked: CheckedAddress): LookupFunction =>
  (_name, { all }, answer) =>
    all ? answer(null, [checked]) : answer(null, checked.address, checked.family)

/** Resolves a host name to one address that may be connected to, or throws with the reason. */
export const resolvePublic = async (host: string, mayBePrivate: boolean): Promise<CheckedAddress> => {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  const addresses = isIP(name)
    ? [{ address: name, family: isIP(name) }]
    : isLoopbackName(name)
      ? [{ address: '127.0.0.1', family: 4 }]
      : await lookup(name, { all: true }).catch((cause: unknown) => {
          throw mayBePrivate ? cause : notPublic(host, cause)
        })
  const isReachable = (address: string) => isPublicAddress(address) && !isOwnAddress(address)
  const privateAddress = mayBePrivate ? undefined : addresses.find(({ address }) => !isReachable(address))
  if (privateAddress) throw notPublic(host, { code: REFUSED, address: privateAddress.address })
  const [first] = addresses
  if (first === undefined) throw new Error(`${host} has no address`)
  return first
}
