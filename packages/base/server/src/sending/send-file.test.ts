import { mkdtemp, readdir, readlink, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { refusal, startServer } from '../fixtures/test-server.ts'
import { sendFile } from '../index.ts'

const ETAG = '"abc"'

const serveFile = async (bytes: Buffer, name?: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-server-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'result.bin')
  await writeFile(path, bytes)
  const server = await startServer({}, (app) => {
    app.get('/file', { schema: { operationId: 'file' } }, (request, reply) =>
      sendFile(request, reply, { path, type: 'video/mp4', name, etag: ETAG }),
    )
  })
  return { ...server, path, file: `${server.url}/file` }
}

/** How often this process has a file open. */
const openCount = async (path: string): Promise<number> => {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
  return (await Promise.all(links)).filter((link) => link === path).length
}

const BYTES = Buffer.from('0123456789')

test('GET sends the file and HEAD its headers alone', async () => {
  const { file, path } = await serveFile(BYTES, 'Über "uns"/100%.mp4')
  for (const method of ['GET', 'HEAD']) {
    const response = await fetch(file, { method })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': '10',
      'content-type': 'video/mp4',
      'content-disposition': `attachment; filename="_ber _uns__100_.mp4"; filename*=UTF-8''%C3%9Cber%20%22uns%22_100%25.mp4`,
      etag: ETAG,
      'x-request-id': expect.any(String),
    })
    expect(await response.text()).toBe(method === 'GET' ? '0123456789' : '')
  }
  expect(await openCount(path)).toBe(0)
})

test.each([
  ['bytes=2-4', 'bytes 2-4/10', '234'],
  ['bytes=7-', 'bytes 7-9/10', '789'],
  ['bytes=-2', 'bytes 8-9/10', '89'],
  ['bytes=0-0', 'bytes 0-0/10', '0'],
])('the range %s is sent as a part', async (range, contentRange, text) => {
  const { file } = await serveFile(BYTES)
  const response = await fetch(file, { headers: { range } })
  expect([response.status, response.headers.get('content-range'), await response.text()]).toEqual([
    206,
    contentRange,
    text,
  ])
  const resumed = await fetch(file, { headers: { range, 'if-range': ETAG } })
  expect(resumed.status).toBe(206)
})

test('several ranges, a malformed one, and a range of another version get the whole file', async () => {
  const { file } = await serveFile(BYTES)
  const requests: Record<string, string>[] = [
    { range: 'bytes=0-1,4-5' },
    { range: 'bytes=5-2' },
    { range: 'lines=1-2' },
    { range: 'bytes=5-', 'if-range': '"other"' },
    { range: 'bytes=5-', 'if-range': 'W/"abc"' },
    { range: 'bytes=50-', 'if-range': '"other"' },
  ]
  for (const headers of requests) {
    const response = await fetch(file, { headers })
    expect([response.status, await response.text()]).toEqual([200, '0123456789'])
  }
})

test('a range past the end is refused with the length', async () => {
  const { file, path } = await serveFile(BYTES)
  const response = await fetch(file, { headers: { range: 'bytes=10-' } })
  expect(response.headers.get('content-range')).toBe('bytes */10')
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await refusal(response)).toEqual([416, 'VID_HTTP_RANGE'])
  expect(await openCount(path)).toBe(0)
})

test('a client that has the file is told so', async () => {
  const { file } = await serveFile(BYTES)
  const response = await fetch(file, { headers: { 'if-none-match': `"x", ${ETAG}` } })
  expect([response.status, await response.text()]).toEqual([304, ''])
})

test('an empty file is sent', async () => {
  const { file } = await serveFile(Buffer.alloc(0))
  const response = await fetch(file)
  expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '0', ''])
})

test('a file that is gone and a link are not found', async () => {
  const { file, path } = await serveFile(BYTES)
  await rm(path)
  expect(await refusal(await fetch(file))).toEqual([404, 'VID_HTTP_NOT_FOUND'])
  await symlink('/etc/hostname', path)
  expect(await refusal(await fetch(file))).toEqual([404, 'VID_HTTP_NOT_FOUND'])
})

test('the file is closed when the client leaves in the middle', async () => {
  const { port, path } = await serveFile(Buffer.alloc(64 * 1024 ** 2))
  const socket = createConnection(port, '127.0.0.1')
  socket.write('GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  expect(await openCount(path)).toBe(1)
  socket.destroy()
  await expect.poll(() => openCount(path)).toBe(0)
})

test('a file that shrinks while it is sent breaks the connection, instead of passing for the whole', async () => {
  const { port, path } = await serveFile(Buffer.alloc(64 * 1024 ** 2))
  const socket = createConnection(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await new Promise((resolve) => socket.once('readable', resolve))
  await truncate(path, 1024 ** 2)
  let bytes = 0
  socket.on('data', (chunk) => {
    bytes += chunk.length
  })
  await new Promise((resolve) => socket.once('close', resolve))
  expect(bytes).toBeLessThan(64 * 1024 ** 2)
})
