// Clients that try to keep a render server busy, fill its memory, or talk to it from where they may not.
import { connect as connectSocket } from 'node:net'
import { waitFor } from '../../../../e2e/long/support/processes.mjs'
import { connect, formOf, jsonOf } from './client.mjs'
import { holdings, page } from './server.mjs'

const CUT_MS = 40_000

/** Sends bytes over a plain connection; resolves to what comes back until the server closes it. */
const talk = ({ url }, first, { again, everyMs = 5, limitMs = CUT_MS } = {}) =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connectSocket(Number(port), hostname)
    let text = ''
    let sent = first.length
    const startedMs = performance.now()
    const over = (isCut) => {
      clearInterval(sending)
      clearTimeout(limit)
      socket.destroy()
      resolve({ text, sent, isCut, ms: Math.round(performance.now() - startedMs) })
    }
    const sending = setInterval(() => {
      if (again === undefined || socket.writableNeedDrain) return
      socket.write(again)
      sent += again.length
    }, everyMs)
    const limit = setTimeout(over, limitMs, false)
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => over(true))
    socket.on('close', () => over(true))
    socket.write(first)
  })

const head = (line, ...headers) => `${line} HTTP/1.1\r\n${headers.join('\r\n')}\r\n`
const HOST = 'host: 127.0.0.1'
const JSON_TYPE = 'content-type: application/json'
const codeIn = (text) => /"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 60)
const MEGABYTE = Buffer.alloc(2 ** 20, 0x20)
const chunk = Buffer.concat([Buffer.from('100000\r\n'), MEGABYTE, Buffer.from('\r\n')])

const expectCode = (what, { text, isCut }, code) =>
  codeIn(text) === code && isCut
    ? []
    : [`${what}: expected ${code} and an end, got ${codeIn(text)}${isCut ? '' : ' and no end'}`]

/** Each attack returns what went wrong; the server has a body limit of 16 MiB and an upload limit of 64 MiB. */
export const networkAttacks = {
  'a body of 10 GB that is announced': async (server) => {
    const request = head('POST /render', HOST, JSON_TYPE, 'content-length: 10000000000')
    return expectCode('announced', await talk(server, `${request}\r\n`, { again: MEGABYTE }), 'VID_HTTP_BODY_TOO_LARGE')
  },
  'a body without an end, as JSON and as a zip': async (server) => {
    const json = head('POST /render', HOST, JSON_TYPE, 'transfer-encoding: chunked')
    const zip = head(
      `PUT /projects/${'0'.repeat(64)}`,
      HOST,
      'content-type: application/zip',
      'transfer-encoding: chunked',
    )
    const wrong = []
    for (const [name, request] of Object.entries({ json, zip })) {
      const reply = await talk(server, `${request}\r\n`, { again: chunk })
      wrong.push(...expectCode(name, reply, 'VID_HTTP_BODY_TOO_LARGE'))
      if (reply.sent > 150 * 2 ** 20) wrong.push(`${name}: took ${reply.sent} bytes`)
    }
    return wrong
  },
  'a header that never ends, and one that drips': async (server) => {
    const endless = await talk(server, head('GET /health', HOST, 'x-long: '), { again: 'x'.repeat(4096) })
    const dripped = await talk(server, 'GET /health HTTP/1.1\r\n', { again: 'x', everyMs: 200 })
    return [
      ...expectCode('endless', endless, 'VID_HTTP_HEADERS_TOO_LARGE'),
      ...expectCode('dripped', dripped, 'VID_HTTP_TIMEOUT'),
    ]
  },
  'strangers: other hosts, other origins, a form of another page': async ({ url }) => {
    const client = connect(url)
    const wrong = []
    const { port } = new URL(url)
    const cases = [
      [{ host: 'evil.example' }, 421],
      [{ host: `127.0.0.1.evil.example:${port}` }, 421],
      [{ origin: 'https://evil.example' }, 403],
      [{ origin: 'null' }, 403],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ 'content-type': 'text/plain', origin: 'http://localhost:1' }, 403],
    ]
    for (const [headers, status] of cases) {
      const { headers: json, body } = jsonOf({ html: page('red') })
      const reply = await client.json('POST', '/render', { headers: { ...json, ...headers }, body })
      if (reply.status !== status) wrong.push(`${JSON.stringify(headers)}: ${reply.status}`)
    }
    client.close()
    return wrong
  },
  'guessed outputs, ranges past the end, HEAD': async ({ url }) => {
    const client = connect(url)
    const { headers, body } = jsonOf({ html: page('red'), quality: 'draft' })
    const { outputUrl, fileSize } = (await client.json('POST', '/render', { headers, body })).body
    const get = async (method, path, range) =>
      (await client.send(method, path, { headers: range ? { range: `bytes=${range}` } : {} })).status
    const statuses = [
      await get('GET', `/outputs/${'A'.repeat(43)}`),
      await get('GET', '/outputs/..%2f..%2fetc%2fpasswd'),
      await get('GET', outputUrl, `${fileSize}-`),
      await get('GET', outputUrl, '-0'),
      await get('GET', outputUrl, '0-0'),
      await get('HEAD', outputUrl),
    ]
    client.close()
    const expected = [404, 404, 416, 416, 206, 200]
    return statuses.join() === expected.join() ? [] : [`statuses ${statuses}, expected ${expected}`]
  },
  'fifty streams of events that nobody reads': async (server) => {
    const { headers, body } = jsonOf({ html: page('red', '', 2), quality: 'draft' })
    const client = connect(server.url)
    const id = 'watched'
    await client.json('POST', '/render', {
      headers: { ...headers, prefer: 'respond-async', 'x-request-id': id },
      body,
    })
    const sockets = Array.from({ length: 50 }, () => {
      const { hostname, port } = new URL(server.url)
      const socket = connectSocket(Number(port), hostname)
      socket.pause()
      socket.on('error', () => {})
      socket.write(`${head(`GET /render/${id}/stream`, HOST)}\r\n`)
      return socket
    })
    const before = holdings(server.pid).memoryMiB
    await client.send('GET', `/render/${id}/stream`)
    const { memoryMiB } = holdings(server.pid)
    const { status } = await client.send('GET', '/health')
    for (const socket of sockets) socket.destroy()
    client.close()
    return [
      ...(memoryMiB > before + 100 ? [`memory grew from ${before} to ${memoryMiB} MiB`] : []),
      ...(status === 200 ? [] : [`health is ${status}`]),
    ]
  },
  'three thousand ids, and the memory of what has ended': async (server) => {
    const client = connect(server.url)
    const before = holdings(server.pid).memoryMiB
    const { headers, body } = jsonOf({
      projectDir: 'c0',
      variables: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`v${index}`, 'x'.repeat(100)])),
    })
    for (let number = 0; number < 3000; number++) {
      const id = `many-${number}`
      const sent = { headers: { ...headers, prefer: 'respond-async', 'x-request-id': id }, body }
      const { status } = await client.json('POST', '/render', sent)
      if (status !== 202) return [`request ${number} was answered by ${status}`]
      await client.json('DELETE', `/render/${id}`)
    }
    client.close()
    const { memoryMiB } = holdings(server.pid)
    // Bodies of 26 kB would take 80 MB.
    return memoryMiB > before + 150 ? [`memory grew from ${before} to ${memoryMiB} MiB`] : []
  },
  'a flood of uploads that never end': async (server) => {
    const { headers } = formOf({}, Buffer.alloc(0))
    const clients = Array.from({ length: 40 }, () => {
      const { hostname, port } = new URL(server.url)
      const socket = connectSocket(Number(port), hostname)
      socket.on('error', () => {})
      const type = `content-type: ${headers['content-type']}`
      socket.write(`${head('POST /render', HOST, type, 'transfer-encoding: chunked')}\r\n`)
      const part = `--soak-boundary\r\ncontent-disposition: form-data; name="projectZip"; filename="p.zip"\r\n\r\n`
      socket.write(`${part.length.toString(16)}\r\n${part}\r\n`)
      for (let count = 0; count < 4; count++) socket.write(chunk)
      return socket
    })
    const other = connect(server.url)
    const { headers: json, body } = jsonOf({ html: page('lime'), quality: 'draft' })
    const { status } = await other.json('POST', '/render', { headers: json, body })
    const { memoryMiB } = holdings(server.pid)
    for (const socket of clients) socket.destroy()
    const isFree = await waitFor(() => holdings(server.pid).descriptors < 80, 10_000)
    other.close()
    return [
      ...(status === 200 ? [] : [`another client got ${status}`]),
      ...(memoryMiB < 700 ? [] : [`memory is ${memoryMiB} MiB`]),
      ...(isFree ? [] : ['descriptors stay open']),
    ]
  },
}
