import { isIP } from 'node:net'

/** The lower-case name in a Host header without its port; undefined if it is invalid. */
const nameOf = (header: string): string | undefined => {
  const [, name] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header) ?? []
  return name?.toLowerCase().replace(/\.$/, '')
}

/** Whether an address can only be reached from this machine. */
export const isLoopback = (host: string): boolean => {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))
}

/** Decides by the Host header whether a request is meant for this server. */
export type HostCheck = (header: string | undefined) => boolean

/**
 * Checks Host headers. A page whose name was rebound to this machine (DNS rebinding) still sends its own name, so a
 * server on a loopback address accepts only loopback and allowed names. On other addresses it accepts any name, unless
 * some are allowed. Ports are ignored, so that a port can be forwarded.
 */
export const hostCheck = (boundTo: string, allowed: readonly string[] = []): HostCheck => {
  const names = new Set(allowed.map((host) => nameOf(host) ?? host.toLowerCase()))
  const isLocal = isLoopback(boundTo)
  return (header = '') => {
    const name = nameOf(header)
    if (name === undefined) return false
    if (names.has(name) || isLoopback(name)) return true
    return !isLocal && names.size === 0
  }
}
