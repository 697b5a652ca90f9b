import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs a message: `sha256=` and the HMAC (hex) of the timestamp, a dot and the body. */
export const sign = (secret: string, timestamp: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`

/** A received message. */
export interface SignedMessage {
  readonly secret: string
  /** The header `x-vid-timestamp`: seconds since 1970. */
  readonly timestamp: string
  /** The header `x-vid-signature`. */
  readonly signature: string
  /** The raw body. */
  readonly body: string
  /** Maximum age in seconds, default 300. */
  readonly maxAge?: number
}

/** For receivers: whether a message has a valid and recent signature; compares in constant time. */
export const verifySignature = ({ secret, timestamp, signature, body, maxAge = 300 }: SignedMessage): boolean => {
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  const actual = Buffer.from(signature)
  const expected = Buffer.from(sign(secret, timestamp, body))
  return age <= maxAge && actual.length === expected.length && timingSafeEqual(actual, expected)
}
