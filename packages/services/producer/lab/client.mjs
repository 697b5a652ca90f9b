// One client of a render server, with one connection of its own for each of its lanes.
import { Agent, request } from 'node:http'

/** A client whose requests share one connection. */
export const connect = (url) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  /** Sends a request; resolves to status and the reply's text, or rejects where `leaveAfterMs` cut it. */
  const send = (method, path, { headers = {}, body, leaveOn } = {}) =>
    new Promise((resolve, reject) => {
      const outgoing = request(`${url}${path}`, { agent, method, headers }, (response) => {
        const chunks = []
        response.on('data', (chunk) => {
          chunks.push(chunk)
          if (leaveOn === 'data') outgoing.destroy()
        })
        response.on('error', reject)
        response.on('close', () => {
          const bytes = Buffer.concat(chunks)
          if (response.complete) resolve({ status: response.statusCode, headers: response.headers, bytes })
          else reject(new Error('cut'))
        })
      })
      outgoing.on('error', reject)
      outgoing.end(body, () => {
        if (leaveOn === 'sent') setTimeout(() => outgoing.destroy(), 50)
      })
    })
  return {
    send,
    json: async (method, path, options) => {
      const { status, bytes } = await send(method, path, options)
      return { status, body: JSON.parse(bytes.toString() || 'null') }
    },
    close: () => agent.destroy(),
  }
}

const BOUNDARY = 'soak-boundary'

/** A body with a zip, and its headers. */
export const formOf = (settings, zip) => ({
  headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  body: Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="request"\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(settings)}\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; name="projectZip"; filename="p.zip"\r\ncontent-type: application/zip\r\n\r\n`,
    ),
    zip,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]),
})

/** A body of JSON, and its headers. */
export const jsonOf = (settings) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(settings),
})
