import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { freshFolder } from '../fixtures/fresh-folder.ts'
import { type AssetSite, MEDIA_PATH, openAssetSite } from '../index.ts'

const VIDEO_BYTES = 300_000

/** A real server in front of a site. */
const serve = async ({ answer }: AssetSite) => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { port, close }
}

const scene = async (texts?: ReadonlyMap<string, string>) => {
  const folder = await freshFolder()
  const root = join(folder.path, 'project')
  await mkdir(join(root, 'assets'), { recursive: true })
  await mkdir(join(root, '.git'))
  await mkdir(join(folder.path, 'project-secret'))
  await writeFile(join(root, 'index.html'), '<h1>hello</h1>')
  await writeFile(join(root, 'assets/clip one.mp4'), Buffer.alloc(VIDEO_BYTES, 'abcdefghij'))
  await writeFile(join(root, 'assets/ünï.txt'), 'unicode')
  await writeFile(join(root, 'assets/empty.css'), '')
  await writeFile(join(root, '.git/config'), 'secret')
  await writeFile(join(root, '.env'), 'secret')
  await writeFile(join(folder.path, 'secret.txt'), 'secret')
  await writeFile(join(folder.path, 'project-secret/a.txt'), 'secret')
  await symlink('assets/clip one.mp4', join(root, 'inside.mp4'))
  await symlink('../secret.txt', join(root, 'outside.txt'))
  await symlink('..', join(root, 'parent'))
  await symlink('.git', join(root, 'history'))
  await symlink('loop', join(root, 'loop'))
  const site = await openAssetSite({ root, ...(texts && { texts }) })
  const { host } = new URL(site.origin)
  const { port, close } = await serve(site)
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<IncomingMessage> =>
    new Promise((done, fail) => {
      const options = { host: '127.0.0.1', port, path, method, agent: false, headers: { host, ...headers } }
      request(options, done).on('error', fail).end()
    })
  return {
    root,
    site,
    host,
    port,
    ask,
    read: async (...args: Parameters<typeof ask>) => {
      const response = await ask(...args)
      return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
    },
    async [Symbol.asyncDispose]() {
      close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test('a file of the project is served with its type and is never cached', async () => {
  await using it = await scene()
  const { status, headers, body } = await it.read('/index.html?v=1')
  expect(status).toBe(200)
  expect(body.toString()).toBe('<h1>hello</h1>')
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'accept-ranges': 'bytes',
  })
  expect(headers).not.toHaveProperty('access-control-allow-origin')
})

test.each([
  ['a.html', 'text/html; charset=utf-8'],
  ['a.js', 'text/javascript; charset=utf-8'],
  ['a.mjs', 'text/javascript; charset=utf-8'],
  ['a.css', 'text/css; charset=utf-8'],
  ['a.json', 'application/json; charset=utf-8'],
  ['a.svg', 'image/svg+xml; charset=utf-8'],
  ['a.wasm', 'application/wasm'],
  ['a.woff2', 'font/woff2'],
  ['a.ttf', 'font/ttf'],
  ['a.webp', 'image/webp'],
  ['a.avif', 'image/avif'],
  ['a.mp4', 'video/mp4'],
  ['a.webm', 'video/webm'],
  ['a.mp3', 'audio/mpeg'],
  ['a.strange', 'application/octet-stream'],
])('%s is served as %s', async (name, type) => {
  await using it = await scene()
  await writeFile(join(it.root, name), 'x')
  expect((await it.read(`/${name}`)).headers['content-type']).toBe(type)
})

test.each([
  ['/assets/clip%20one.mp4', 200],
  ['/assets/%C3%BCn%C3%AF.txt', 200],
  ['/assets/empty.css', 200],
  ['/inside.mp4', 200],
  ['/', 404],
  ['/assets', 404],
  ['/assets/', 404],
  ['/missing.html', 404],
  ['/index.html/', 404],
  ['/loop', 404],
  ['/%252e%252e/secret.txt', 404],
  ['/../secret.txt', 400],
  ['/assets/../../secret.txt', 400],
  ['/%2e%2e/secret.txt', 400],
  ['/.%2e/secret.txt', 400],
  ['/..%2fsecret.txt', 400],
  ['/..%5csecret.txt', 400],
  ['/..\\secret.txt', 400],
  ['/./index.html', 400],
  ['//index.html', 400],
  ['/assets//empty.css', 400],
  ['/index.html%00.png', 400],
  ['/%', 400],
  ['/%ff', 400],
  ['index.html', 400],
  ['http://elsewhere/index.html', 400],
  ['/outside.txt', 403],
  ['/parent/secret.txt', 403],
  ['/parent/project-secret/a.txt', 403],
  ['/.env', 403],
  ['/%2eenv', 403],
  ['/.git/config', 403],
  ['/history/config', 403],
])('%s is answered with %i and leaks nothing', async (path, status) => {
  await using it = await scene()
  const answer = await it.read(path)
  expect(answer.status).toBe(status)
  expect(answer.body.toString()).not.toContain('secret')
})

test('a named pipe in the project does not stall the server', async () => {
  await using it = await scene()
  execFileSync('mkfifo', [join(it.root, 'pipe.txt')])
  expect((await it.read('/pipe.txt')).status).toBe(404)
})

test('a request for another host name, as from another render or a rebound site, is refused', async () => {
  await using it = await scene()
  for (const host of [`127.0.0.1:${it.port}`, `localhost:${it.port}`, `other.${it.host}`, 'evil.example', '']) {
    expect((await it.read('/index.html', { host })).status).toBe(421)
  }
})

test('each site has a different origin', async () => {
  await using it = await scene()
  const other = await openAssetSite({ root: it.root })
  expect(other.origin).not.toBe(it.site.origin)
  expect(new URL(other.origin).hostname).toMatch(/^[0-9a-f]{32}\.localhost$/)
})

test.each([
  ['bytes=0-9', 206, 'bytes 0-9/300000', 'abcdefghij'],
  ['bytes=299995-', 206, 'bytes 299995-299999/300000', 'fghij'],
  ['bytes=-3', 206, 'bytes 299997-299999/300000', 'hij'],
  ['bytes=299999-400000', 206, 'bytes 299999-299999/300000', 'j'],
])('the range %s gives those bytes', async (range, status, contentRange, text) => {
  await using it = await scene()
  const answer = await it.read('/inside.mp4', { range })
  expect(answer.status).toBe(status)
  expect(answer.headers['content-range']).toBe(contentRange)
  expect(answer.headers['content-length']).toBe(String(text.length))
  expect(answer.body.toString()).toBe(text)
})

test('a range outside the file is refused, a malformed one ignored', async () => {
  await using it = await scene()
  for (const range of ['bytes=300000-', 'bytes=-0']) {
    const { status, headers } = await it.read('/inside.mp4', { range })
    expect(status).toBe(416)
    expect(headers['content-range']).toBe('bytes */300000')
  }
  for (const range of ['bytes=9-1', 'bytes=0-1,5-6', 'frames=0-1', 'bytes=-', 'bytes=x-y']) {
    const { status, body } = await it.read('/inside.mp4', { range })
    expect([status, body.length]).toEqual([200, VIDEO_BYTES])
  }
})

test('HEAD returns only the headers; other methods are refused', async () => {
  await using it = await scene()
  const head = await it.read('/inside.mp4', {}, 'HEAD')
  expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '300000', 0])
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const answer = await it.read('/index.html', {}, method)
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  }
})

test('a client that disconnects mid-file does not stop the server', async () => {
  await using it = await scene()
  await writeFile(join(it.root, 'long.mp4'), '')
  await truncate(join(it.root, 'long.mp4'), 64 * 1024 * 1024)
  const response = await it.ask('/long.mp4')
  response.destroy()
  expect((await it.read('/index.html')).status).toBe(200)
})

test('a missing project folder is reported with its path', async () => {
  await expect(openAssetSite({ root: '/no/such/project' })).rejects.toMatchObject({
    code: 'VID_ASSET_ROOT_MISSING',
    fault: 'caller',
    message: expect.stringContaining('/no/such/project'),
  })
})

test('a text replaces a file of the project, and no other file', async () => {
  const names = ['.env', 'new.html']
  const texts = new Map([['index.html', '<h1>ünï</h1>'], ...names.map((name) => [name, 'text'] as const)])
  await using it = await scene(texts)
  const { headers, body } = await it.read('/index.html?v=1')
  expect(body.toString()).toBe('<h1>ünï</h1>')
  expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'content-length': '14' })
  const head = await it.read('/index.html', {}, 'HEAD')
  expect([head.headers['content-length'], head.body.byteLength]).toEqual(['14', 0])
  expect((await it.read('/.env')).status).toBe(403)
  expect((await it.read('/new.html')).status).toBe(404)
  expect((await it.read('/assets/%C3%BCn%C3%AF.txt')).body.toString()).toBe('unicode')
})

test('a worker script begins with the code for the virtual clock, on its first line', async () => {
  await using it = await scene()
  await writeFile(join(it.root, 'classic.js'), '\nonmessage = 1')
  await writeFile(join(it.root, 'module.js'), "// first\nimport { a } from './a.js'")
  const read = async (path: string) => (await it.read(path, { 'sec-fetch-dest': 'worker' })).body.toString()
  expect(await read('/classic.js')).toMatch(/^if\(.*"vid\.worker".*\nonmessage = 1$/)
  expect(await read('/module.js')).toMatch(/^import "data:text\/javascript;base64,\S+";\/\/ first\nimport/)
  expect((await it.read('/classic.js')).body.toString()).toBe('\nonmessage = 1')
  expect((await it.read('/.env', { 'sec-fetch-dest': 'worker' })).status).toBe(403)
})

test('a file that this machine cannot read is reported, since the page would take it for missing', async () => {
  await using folder = await freshFolder()
  const faults: unknown[] = []
  const lacking = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
  const media = async (path: string) => {
    throw path === 'm0/0.jpg' ? lacking : new Error('no such frame')
  }
  const onMachineFault = (error: unknown) => void faults.push(error)
  const site = await openAssetSite({ root: folder.path, media, onMachineFault })
  const { host } = new URL(site.origin)
  const { port, close } = await serve(site)
  const ask = (path: string) =>
    new Promise<number | undefined>((done, fail) => {
      const options = {
        host: '127.0.0.1',
        port,
        path: `${MEDIA_PATH}${path}`,
        agent: false,
        headers: { host },
      }
      request(options, (response) => done(response.resume().statusCode))
        .on('error', fail)
        .end()
    })
  expect(await ask('m0/1.jpg')).toBe(404)
  expect(faults).toEqual([])
  expect(await ask('m0/0.jpg')).toBe(404)
  expect(faults).toMatchObject([{ code: 'VID_MACHINE_LACKS', fault: 'machine' }])
  close()
})
