import { fail } from './errors.ts'

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)

/** The address to post to; a secret must not travel in the clear, and a user name belongs in a header. */
export const parseAddress = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const refuse = (problem: string) =>
    // Never the text itself: the rest of such addresses is often a secret.
    fail('VID_WEBHOOK_URL', { origin: url?.host || '(unreadable)', problem })
  if (!url) throw refuse('it is no URL')
  if (url.username || url.password) throw refuse('it holds a user name or a password')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    throw refuse(`${url.protocol.slice(0, -1)} is not safe`)
  return url
}

/** The headers to send with every attempt; a value that cannot be one is told of without showing it. */
export const parseHeaders = (given: Readonly<Record<string, string>> = {}): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given))
    try {
      headers.set(name, value)
    } catch {
      throw fail('VID_WEBHOOK_HEADER', { name })
    }
  return headers
}
