/** Addresses that failed to load and were already reported, without their fragments. */
export interface FailedLoads {
  add(url: string): void
  has(url: string): boolean
}

/** A page may send endless requests; beyond this limit, a failure may be reported twice. */
const MAX_ADDRESSES = 10_000

const withoutFragment = (url: string) => url.replace(/#.*$/s, '')

/** Starts an empty collection. */
export const createFailedLoads = (): FailedLoads => {
  const addresses = new Set<string>()
  return {
    add(url) {
      if (addresses.size < MAX_ADDRESSES) addresses.add(withoutFragment(url))
    },
    has: (url) => addresses.has(withoutFragment(url)),
  }
}
