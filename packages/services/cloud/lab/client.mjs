// A client of the hosted API for scripts: one key, one server.
import { createHash } from 'node:crypto'

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Calls of one account on one server; each resolves to status, body and headers. */
export const connectCloud = (url, key) => {
  const ask = async (method, path, { json, body, headers } = {}) => {
    const reply = await fetch(`${url}${path}`, {
      method,
      redirect: 'error',
      body: json ? JSON.stringify(json) : body,
      headers: { 'x-api-key': key, ...(json && { 'content-type': 'application/json' }), ...headers },
    })
    return { status: reply.status, headers: reply.headers, body: await reply.json() }
  }
  return {
    ask,
    async upload(zip) {
      const form = new FormData()
      form.set('file', new Blob([zip], { type: 'application/zip' }), 'project.zip')
      return ask('POST', '/v3/assets', { body: form })
    },
    submit: (json, headers = {}) => ask('POST', '/v3/vid/renders', { json, headers }),
    get: (id) => ask('GET', `/v3/vid/renders/${id}`),
    /** Asks again and again until the render has ended. */
    async ended(id, everyMs = 100) {
      for (;;) {
        const { status, body } = await ask('GET', `/v3/vid/renders/${id}`)
        if (status !== 200 || ['completed', 'failed'].includes(body.data.status)) return body.data ?? body
        await pause(everyMs)
      }
    },
    async download(record) {
      return Buffer.from(await (await fetch(record.video_url)).arrayBuffer())
    },
  }
}
