// The Runtime API (2018-06-01) of one environment.
import { listen, readBody } from '../service.mjs'

/** Most bytes of a response of a function. */
export const MAX_RESPONSE_BYTES = 6_291_556

const PATH =
  /^\/2018-06-01\/runtime\/(?:(?<init>init\/error)|invocation\/(?:(?<next>next)|(?<id>[\w-]+)\/(?<end>response|error)))$/

/**
 * @typedef {object} Invocation
 * @property {string} requestId
 * @property {Buffer} payload
 * @property {string} arn
 * @property {number} deadlineMs
 */

/**
 * Starts the API. `events` are notified when the runtime waits for a call, and of how calls and the start end.
 * @param {object} events
 * @param {() => void} events.onReady
 * @param {(requestId: string, kind: 'response' | 'error', body: Buffer | undefined) => void} events.onEnd
 * @param {(body: Buffer) => void} events.onInitError
 */
export const startRuntimeApi = async ({ onReady, onEnd, onInitError }) => {
  /** @type {import('node:http').ServerResponse | undefined} */
  let waiting
  const server = await listen(async (request, reply) => {
    const route = PATH.exec(request.url ?? '')?.groups
    if (route?.next) {
      waiting = reply
      onReady()
      return
    }
    const body = await readBody(request, MAX_RESPONSE_BYTES).catch(() => undefined)
    const isTooLarge = route?.end === 'response' && body === undefined
    reply.writeHead(route ? (isTooLarge ? 413 : 202) : 404, { 'content-type': 'application/json' })
    reply.end(JSON.stringify({ status: isTooLarge ? 'RequestEntityTooLarge' : 'OK' }))
    if (route?.init) onInitError(body ?? Buffer.of())
    else if (route?.end) onEnd(route.id, route.end, body)
  })
  /** @param {Invocation} invocation */
  const give = ({ requestId, payload, arn, deadlineMs }) => {
    waiting?.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': requestId,
      'lambda-runtime-deadline-ms': String(deadlineMs),
      'lambda-runtime-invoked-function-arn': arn,
      'lambda-runtime-trace-id': 'Root=1-00000000-000000000000000000000000;Sampled=0',
    })
    waiting?.end(payload)
    waiting = undefined
  }
  return { address: `127.0.0.1:${server.port}`, give, close: server.close }
}
