import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyWebhook } from './index.ts'

const secret = 'secret of the account'
const now = 1_800_000_000_000
const event = {
  event_type: 'vid_render.completed',
  event_data: {
    render_id: 'render_1',
    status: 'completed',
    video_url: 'https://files.example.com/v',
    thumbnail_url: null,
    duration: 2.5,
    failure_message: null,
    callback_id: 'order-7',
  },
}
const sign = (body: string, timestamp: string, key = secret) =>
  `sha256=${createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')}`

const received = (changes: { body?: string; timestamp?: string; signature?: string; key?: string } = {}) => {
  const { body = JSON.stringify(event), timestamp = String(now / 1000), key } = changes
  const { signature = sign(body, timestamp, key) } = changes
  return { secret, body, headers: { 'X-Host-Timestamp': timestamp, 'X-Host-Signature': signature }, now }
}

test('a webhook with the right signature is returned, from headers of either kind and bytes or text', () => {
  const webhook = received()
  expect(verifyWebhook(webhook)).toEqual(event)
  expect(verifyWebhook({ ...webhook, headers: new Headers(webhook.headers), body: Buffer.from(webhook.body) })).toEqual(
    event,
  )
})

const old = String(now / 1000 - 301)
test.each([
  ['of another secret', received({ key: 'another' }), 'VID_CALLBACK_SIGNATURE'],
  ['of another body', { ...received(), body: `${JSON.stringify(event)} ` }, 'VID_CALLBACK_SIGNATURE'],
  ['without a signature', received({ signature: '' }), 'VID_CALLBACK_SIGNATURE'],
  ['with half a signature', received({ signature: 'sha256=ab' }), 'VID_CALLBACK_SIGNATURE'],
  [
    'whose time was changed',
    {
      ...received({ timestamp: old }),
      headers: { ...received({ timestamp: old }).headers, 'X-Host-Timestamp': String(now / 1000) },
    },
    'VID_CALLBACK_SIGNATURE',
  ],
  ['that is old', received({ timestamp: old }), 'VID_CALLBACK_TIME'],
  ['from the future', received({ timestamp: String(now / 1000 + 301) }), 'VID_CALLBACK_TIME'],
  ['that is no JSON', received({ body: '{' }), 'VID_CALLBACK_BODY'],
  ['of another kind', received({ body: '{"event_type":"other"}' }), 'VID_CALLBACK_BODY'],
  ['checked with an empty secret', { ...received({ key: '' }), secret: '' }, 'VID_CALLBACK_SIGNATURE'],
])('a webhook %s is refused', (_name, webhook, code) => {
  expect(() => verifyWebhook(webhook)).toThrow(expect.objectContaining({ code }))
})
