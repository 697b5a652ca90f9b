import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineDelivery, Type, withDefault } from '@vid/kernel'
import { parseAddress, parseHeaders } from './address.ts'
import { post } from './post.ts'
import { deliverWebhookWarning } from './warnings.ts'

export { deliverWebhookErrors } from './errors.ts'
export { type SignedMessage, verifySignature } from './signature.ts'
export { deliverWebhookWarnings } from './warnings.ts'

const webhook = defineDelivery({
  name: '@vid/deliver-webhook',
  options: Type.Object({
    /** URL to post to; often a secret itself, so it is never shown. */
    url: Type.String({ writeOnly: true, minLength: 1 }),
    /** Key of the signature, shared with the receiver; without it the message is not signed. */
    secret: Type.Optional(Type.String({ writeOnly: true, minLength: 16 })),
    /** Headers to send, such as `authorization`. */
    headers: Type.Optional(Type.Record(Type.String(), Type.String(), { writeOnly: true })),
    /** URL prefix of the result's location, such as `https://cdn.example.com/videos/`; default: the file's URL. */
    baseUrl: Type.Optional(Type.String({ pattern: '^https?://.*/$' })),
    attempts: withDefault(Type.Integer({ minimum: 1, maximum: 20 }), 6),
    /** Timeout of one attempt, in milliseconds. */
    timeoutMs: withDefault(Type.Integer({ minimum: 1, maximum: 600_000 }), 10_000),
    /** Delay before the second attempt in milliseconds; each further delay is twice as long, up to a minute. */
    backOffMs: withDefault(Type.Integer({ minimum: 1, maximum: 60_000 }), 1_000),
  }),
  async deliver(_artifact, result, { options, signal, warn }) {
    const { url, secret, headers, baseUrl, ...limits } = options
    const address = parseAddress(url)
    const { outputPath, fileSize, durationMs, renderTimeMs, frames, warnings, delivered } = result
    const location =
      baseUrl === undefined ? pathToFileURL(outputPath).href : `${baseUrl}${encodeURIComponent(basename(outputPath))}`
    const sizes = { outputPath, fileSize, durationMs, renderTimeMs, frames, warnings }
    const facts = { location, ...sizes, ...(delivered && { delivered }) }
    await post({
      ...limits,
      url: address,
      body: JSON.stringify({ type: 'render-complete', ...facts }),
      secret,
      headers: parseHeaders(headers),
      signal,
      onRetry: (reason) => warn(deliverWebhookWarning('VID_WEBHOOK_RETRIED', { origin: address.origin, reason })),
    })
  },
})

/** Notifies a URL of a finished video, with a signature and retries. */
export default (options: Parameters<typeof webhook>[0]): ReturnType<typeof webhook> => {
  const plugin = webhook(options)
  // Checked before anything is rendered.
  parseAddress(options.url)
  parseHeaders(options.headers)
  return plugin
}
