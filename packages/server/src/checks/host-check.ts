import { isIP } from 'node:net'

/** The name of a Host header without its port, in lower case; undefined where it is no host. */
const nameOf = (header: string): string | undefined => {
  const [, name] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header) ?? []
  return name?.toLowerCase().replace(/\.$/, '')
}

/** Whether an address can only be reached from this machine. */
export const isLoopback = (host: string): boolean => {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))
}

/** Decides by its Host header whether a request is meant for this server. */
export type HostCheck = (header: string | undefined) => boolean

/**
 * A page whose name was made to point at this machine (DNS rebinding) still sends its own name: a server on a loopback
 * address answers to loopback names and the allowed ones only. On another address any name will do, unless some are
 * allowed. Ports are not compared, so that a port can be forwarded.
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
