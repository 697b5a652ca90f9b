import { createHash } from 'node:crypto'
import { isLoopback } from '@vid/server'
import type { CloudSettings } from '../options.ts'

/** Characters of the name under which a composition is played: no one finds two tokens of the same name. */
const LABEL_LENGTH = 32

/** The name under which the composition of a page is played: a host name knows no capitals, and must not tell the token. */
export const labelOf = (token: string): string =>
  createHash('sha256').update(token).digest('hex').slice(0, LABEL_LENGTH)

/** Where compositions of pages are played: each on an origin of its own, which shares nothing with the server's. */
export interface PlayAddress {
  /** The origin of the composition of a page; undefined where the server plays none. */
  originOf(token: string): string | undefined
  /** The name in a Host header; undefined in that of the server itself. */
  labelIn(host: string | undefined): string | undefined
}

/** What decides where compositions are played. */
export interface PlayAddressParts {
  readonly settings: Pick<CloudSettings, 'playUrl'>
  readonly publicUrl: () => string
}

/** Without a setting, only a server on the loopback plays: browsers find every name below `localhost` there. */
const urlOf = ({ settings, publicUrl }: PlayAddressParts): string | undefined => {
  if (settings.playUrl !== undefined) return settings.playUrl
  const { protocol, hostname, port } = new URL(publicUrl())
  return isLoopback(hostname) ? `${protocol}//*.localhost${port && `:${port}`}` : undefined
}

/** Reads where compositions are played. */
export const createPlayAddress = (parts: PlayAddressParts): PlayAddress => ({
  originOf: (token) => urlOf(parts)?.replace('*', labelOf(token)),
  labelIn(host = '') {
    const url = urlOf(parts)
    if (url === undefined) return undefined
    const { hostname } = new URL(url.replace('*.', ''))
    const [, label, rest] = /^([0-9a-f]{32})\.([^:]+)(?::\d+)?$/i.exec(host) ?? []
    return rest?.toLowerCase() === hostname ? label?.toLowerCase() : undefined
  },
})
