import { fail } from './errors.ts'

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)

/** Parses the URL to post to: https only, since the message may be secret, and without credentials, which belong in a header. */
export const parseAddress = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const refuse = (problem: string) =>
    // Never the whole URL: its path is often a secret.
    fail('VID_WEBHOOK_URL', { origin: url?.host || '(unreadable)', problem })
  if (!url) throw refuse('it is not a URL')
  if (url.username || url.password) throw refuse('it contains a user name or a password')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    throw refuse(`${url.protocol.slice(0, -1)} is not safe`)
  return url
}

/** Parses the headers of every attempt; an error about one does not show its value. */
export const parseHeaders = (record: Readonly<Record<string, string>> = {}): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(record))
    try {
      headers.set(name, value)
    } catch {
      throw fail('VID_WEBHOOK_HEADER', { name })
    }
  return headers
}
