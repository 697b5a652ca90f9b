import { createHmac, timingSafeEqual } from 'node:crypto'
import { schemaProblems } from '@vid/protocol'
import { type CloudWebhook, CloudWebhookSchema } from './contract/index.ts'
import { fail } from './errors.ts'

/** A webhook as received. */
export interface ReceivedWebhook {
  /** Signing secret of the account. */
  readonly secret: string
  /** The body exactly as it was received. */
  readonly body: string | Uint8Array
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** Largest accepted difference between the time of the signature and now, in milliseconds. */
  readonly toleranceMs?: number
  /** Milliseconds since 1970. */
  readonly now?: number
}

const TOLERANCE_MS = 300_000

const headerOf = (headers: ReceivedWebhook['headers'], name: string): string => {
  if (headers instanceof Headers) return headers.get(name) ?? ''
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : ''
}

/** Verifies that a webhook comes from the hosted API and is recent; returns its content, or throws a coded error. */
export const verifyWebhook = ({
  secret,
  body,
  headers,
  toleranceMs = TOLERANCE_MS,
  now = Date.now(),
}: ReceivedWebhook): CloudWebhook => {
  const timestamp = headerOf(headers, 'x-host-timestamp')
  const [, signature] = /^sha256=([0-9a-f]{64})$/.exec(headerOf(headers, 'x-host-signature')) ?? []
  if (!/^\d{1,12}$/.test(timestamp) || signature === undefined)
    throw fail('VID_CALLBACK_SIGNATURE', {
      problem: 'X-Host-Timestamp or X-Host-Signature is missing or malformed',
    })
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const expectedHmac = createHmac('sha256', secret).update(`${timestamp}.`).update(bytes).digest()
  if (secret === '' || !timingSafeEqual(expectedHmac, Buffer.from(signature, 'hex')))
    throw fail('VID_CALLBACK_SIGNATURE', { problem: 'its signature does not match' })
  const ageMs = Math.abs(now - Number(timestamp) * 1000)
  if (ageMs > toleranceMs) throw fail('VID_CALLBACK_TIME', { ageMs, toleranceMs })
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    throw fail('VID_CALLBACK_BODY', { problem: 'it is not JSON' })
  }
  const [problem] = schemaProblems(CloudWebhookSchema, value)
  if (problem !== undefined) throw fail('VID_CALLBACK_BODY', { problem })
  return value as CloudWebhook
}
