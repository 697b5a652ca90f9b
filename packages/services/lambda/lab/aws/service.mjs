// What the endpoints share: errors of services, bodies of requests, servers of the loopback interface.
import { once } from 'node:events'
import { createServer } from 'node:http'

/** Account and region of everything here. */
export const account = '123456789012'
export const region = 'us-east-1'

/**
 * An error that a service answers with.
 * @param {string} code
 * @param {string} message
 * @param {number} [status]
 */
export const serviceError = (code, message, status = 400) =>
  Object.assign(new Error(message), { name: code, status, isOfService: true })

/**
 * The whole body of a request; undefined when it is longer than `limit` bytes.
 * @param {import('node:http').IncomingMessage} request
 * @param {number} [limit]
 */
export const readBody = async (request, limit = Number.POSITIVE_INFINITY) => {
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes <= limit) chunks.push(chunk)
  }
  return bytes > limit ? undefined : Buffer.concat(chunks)
}

/**
 * Starts a server on a free port of the loopback interface.
 * @param {import('node:http').RequestListener} answer
 */
export const listen = async (answer) => {
  const server = createServer({ keepAliveTimeout: 60_000 }, answer)
  // Calls of the function wait as long as it runs.
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { port: server.address().port, close }
}
