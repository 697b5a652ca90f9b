import { isIP } from 'node:net'
import type { ConnectionFacts, ServerErrors } from './exchange.ts'

/** Whether a host is this machine. */
export const isThisMachine = (hostname: string): boolean => {
  const name = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (isIP(name) === 4) return name.startsWith('127.')
  return name === '::1' || name === 'localhost' || name.endsWith('.localhost')
}

const parse = (url: string): URL | undefined => {
  try {
    return new URL(url)
  } catch {
    return undefined
  }
}

/** The address of a server without a slash at the end; fails if a credential or a picture would be sent unencrypted. */
export const checkAddress = (
  { url, insecure = false }: { readonly url: string; readonly insecure?: boolean | undefined },
  { fail }: ServerErrors<ConnectionFacts>,
): string => {
  const address = parse(url)
  if (!address) throw fail('ADDRESS', { url, problem: 'it is not a URL' })
  const { protocol, hostname, username, password, search, hash, origin, pathname } = address
  const refuse = (problem: string) => fail('ADDRESS', { url: origin, problem })
  if (protocol !== 'https:' && protocol !== 'http:')
    throw fail('ADDRESS', { url: `${protocol}…`, problem: 'it begins with neither https nor http' })
  if (username !== '' || password !== '') throw refuse('it carries a password; give the token as an option')
  if (search !== '' || hash !== '') throw refuse('it has a part after ? or #')
  if (protocol === 'http:' && !insecure && !isThisMachine(hostname))
    throw refuse('http to another machine can be read on the way: use https, or allow it with insecure: true')
  return origin + pathname.replace(/(?<!\/)\/+$/, '')
}
