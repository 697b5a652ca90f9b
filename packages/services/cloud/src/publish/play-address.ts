import { createHash } from 'node:crypto'
import { isLoopback } from '@vid/server'
import type { CloudSettings } from '../options.ts'

/**
 * Length of the host label under which a composition is played: long enough that nobody finds two tokens with the same
 * label.
 */
const LABEL_LENGTH = 32

/**
 * The host label under which a page's composition is played: a hash, because host names are case-insensitive and must
 * not reveal the token.
 */
export const hostLabelOf = (token: string): string =>
  createHash('sha256').update(token).digest('hex').slice(0, LABEL_LENGTH)

/** Where the compositions of pages are played: each on its own origin, which shares nothing with the server's. */
export interface PlayAddress {
  /** The origin of a page's composition; undefined if the server plays none. */
  originOf(token: string): string | undefined
  /** The label in a Host header; undefined for the server's own host. */
  labelIn(host: string | undefined): string | undefined
}

/** Settings that determine where compositions are played. */
export interface PlayAddressParts {
  readonly settings: Pick<CloudSettings, 'playUrl'>
  readonly publicUrl: () => string
}

/**
 * Without a setting, only a server on the loopback plays compositions, because browsers resolve every name below
 * `localhost`.
 */
const urlOf = ({ settings, publicUrl }: PlayAddressParts): string | undefined => {
  if (settings.playUrl !== undefined) return settings.playUrl
  const { protocol, hostname, port } = new URL(publicUrl())
  return isLoopback(hostname) ? `${protocol}//*.localhost${port && `:${port}`}` : undefined
}

/** Determines where compositions are played. */
export const createPlayAddress = (parts: PlayAddressParts): PlayAddress => ({
  originOf: (token) => urlOf(parts)?.replace('*', hostLabelOf(token)),
  labelIn(host = '') {
    const url = urlOf(parts)
    if (url === undefined) return undefined
    const { hostname } = new URL(url.replace('*.', ''))
    const [, label, rest] = /^([0-9a-f]{32})\.([^:]+)(?::\d+)?$/i.exec(host) ?? []
    return rest?.toLowerCase() === hostname ? label?.toLowerCase() : undefined
  },
})
