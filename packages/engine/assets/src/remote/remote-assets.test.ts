import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Warning } from '@vid/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { openRemoteAssets } from './remote-assets.ts'

const { signal } = new AbortController()

const serve = async (answer: RequestListener) => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, origin: `http://${host}`, close }
}
const cache = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-remote-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: Error & { code?: string }) => `${error.code} ${error.message}`,
  )

test('a file is fetched once, and cached for renders without its server', async () => {
  let requests = 0
  const server = await serve((_request, response) => {
    requests += 1
    response.setHeader('content-type', 'image/svg+xml').setHeader('access-control-allow-origin', '*').end('<svg/>')
  })
  const options = { cacheDir: await cache(), privateHosts: [server.host], signal }
  const assets = openRemoteAssets(options)
  const url = `${server.origin}/logo.svg`
  const [first] = await Promise.all([assets.get(url), assets.get(url), assets.get(url)])
  expect({ ...first, body: first.body.toString() }).toEqual({
    contentType: 'image/svg+xml',
    allowOrigin: '*',
    body: '<svg/>',
  })
  server.close()
  expect((await openRemoteAssets(options).get(url)).body.toString()).toBe('<svg/>')
  expect(requests).toBe(1)
})

test('a day later it is fetched again, and the old copy is used when that fails', async () => {
  let text = 'first'
  const server = await serve((_request, response) => response.end(text))
  const options = { cacheDir: await cache(), privateHosts: [server.host], signal }
  const url = `${server.origin}/a.txt`
  await openRemoteAssets(options).get(url)
  const folder = join(options.cacheDir, 'remote')
  const age = async () => {
    const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000)
    for (const name of await readdir(folder)) await utimes(join(folder, name), twoDaysAgo, twoDaysAgo)
  }
  await age()
  text = 'second'
  expect((await openRemoteAssets(options).get(url)).body.toString()).toBe('second')
  await age()
  server.close()
  const warnings: Warning[] = []
  const warn = (warning: Warning) => void warnings.push(warning)
  expect((await openRemoteAssets({ ...options, warn }).get(url)).body.toString()).toBe('second')
  expect(warnings).toEqual([
    expect.objectContaining({
      code: 'VID_REMOTE_STALE',
      message: expect.stringMatching(
        /^http:\S+\/a\.txt could not be fetched: .+\. Its copy of \d{4}-\d\d-\d\dT\S+ is used\.$/,
      ),
    }),
  ])
})

test('a damaged copy is fetched again', async () => {
  const server = await serve((_request, response) => response.end('whole'))
  const options = { cacheDir: await cache(), privateHosts: [server.host], signal }
  const url = `${server.origin}/a.txt`
  await openRemoteAssets(options).get(url)
  const folder = join(options.cacheDir, 'remote')
  for (const name of await readdir(folder)) await writeFile(join(folder, name), 'torn')
  expect((await openRemoteAssets(options).get(url)).body.toString()).toBe('whole')
})

test('private addresses are refused, also at the end of a redirect', async () => {
  const secret = await serve((_request, response) => response.end('secret'))
  const open = await serve((_request, response) => response.writeHead(302, { location: `${secret.origin}/` }).end())
  const assets = openRemoteAssets({ cacheDir: await cache(), privateHosts: [open.host], signal })
  expect(await reasonOf(assets.get(`${secret.origin}/`))).toContain('VID_REMOTE_FAILED')
  expect(await reasonOf(assets.get(`${secret.origin}/`))).toContain('127.0.0.1 has no public address')
  expect(await reasonOf(assets.get(`http://localhost:${secret.host.split(':')[1]}/`))).toContain(
    'has no public address',
  )
  expect(await reasonOf(assets.get(`${open.origin}/`))).toContain('127.0.0.1 has no public address')
  expect(await reasonOf(assets.get('http://[::1]:1/'))).toContain('[::1] has no public address')
})

test('no cookie and no credential is sent', async () => {
  const requests: unknown[] = []
  const server = await serve((request, response) => {
    requests.push(request.headers.authorization, request.headers.cookie, request.headers.referer)
    response.setHeader('set-cookie', 'a=1').end('x')
  })
  const assets = openRemoteAssets({ cacheDir: await cache(), privateHosts: [server.host], signal })
  await assets.get(`${server.origin}/1`)
  await assets.get(`${server.origin}/2`)
  expect(requests).toEqual(Array(6).fill(undefined))
  expect(await reasonOf(assets.get(`http://me:word@${server.host}/`))).toContain('user name or password')
})

test.each([
  [
    'an error status',
    (_: unknown, response: Parameters<RequestListener>[1]) => response.writeHead(404).end(),
    'answered 404',
  ],
  [
    'too many bytes',
    (_: unknown, response: Parameters<RequestListener>[1]) => response.end('x'.repeat(2_000)),
    'larger than 1000',
  ],
  [
    'an answer that never ends',
    (_: unknown, response: Parameters<RequestListener>[1]) => response.write('x'),
    'within 0.3 s',
  ],
  ['no answer', () => undefined, 'within 0.3 s'],
  [
    'an endless redirect',
    (_: unknown, response: Parameters<RequestListener>[1]) => response.writeHead(302, { location: '/again' }).end(),
    'redirects',
  ],
])('%s is named', async (_name, answer, reason) => {
  const server = await serve(answer)
  // Only what never answers needs a short time.
  const limits = { bytes: 1000, totalMs: reason.startsWith('within') ? 300 : 30_000 }
  const assets = openRemoteAssets({ cacheDir: await cache(), privateHosts: [server.host], signal, limits })
  const text = await reasonOf(assets.get(`${server.origin}/a`))
  expect(text).toContain(`${server.origin}/a`)
  expect(text).toContain(reason)
})

test('an unreachable server is reported at once', async () => {
  const server = await serve(() => undefined)
  server.close()
  const assets = openRemoteAssets({ cacheDir: await cache(), privateHosts: [server.host], signal })
  expect(await reasonOf(assets.get(`${server.origin}/a`))).toContain('ECONNREFUSED')
})

test('a file that cannot be kept is the fault of the machine, and its query is not shown', async () => {
  const server = await serve((_request, response) => response.end('x'))
  const cacheDir = await cache()
  await writeFile(join(cacheDir, 'remote'), 'no folder')
  const assets = openRemoteAssets({ cacheDir, privateHosts: [server.host], signal })
  await expect(assets.file(`${server.origin}/a.wav?token=1`)).rejects.toMatchObject({
    code: 'VID_MACHINE_LACKS',
    fault: 'machine',
    message: expect.stringMatching(/keeping http:\/\/127\.0\.0\.1:\d+\/a\.wav: /),
  })
})

test('above the limit of the folder the files that were not used for longest go, and those of this render stay', async () => {
  const server = await serve(({ url }, response) => response.end((url ?? '').slice(-1).repeat(100)))
  const cacheDir = await cache()
  const options = { cacheDir, privateHosts: [server.host], signal, limits: { cacheBytes: 1000 } }
  const folder = join(cacheDir, 'remote')
  const age = async (hours: number) => {
    const then = new Date(Date.now() - hours * 60 * 60 * 1000)
    for (const name of await readdir(folder)) await utimes(join(folder, name), then, then)
  }
  const sizes = async () => {
    const files = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))))
    return files.reduce((sum, { size }) => sum + size, 0)
  }
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
    await openRemoteAssets({ ...options, limits: {} }).file(`${server.origin}/${name}`)
  await age(3)
  // Used now, so that it stays.
  const used = await openRemoteAssets({ ...options, limits: {} }).file(`${server.origin}/a`)
  expect(await sizes()).toBeGreaterThan(1000)
  const assets = openRemoteAssets(options)
  const [file] = [await assets.file(`${server.origin}/g`), await assets.file(`${server.origin}/h`)]
  expect(await sizes()).toBeLessThan(1500)
  expect(await readFile(used, 'utf8')).toBe('a'.repeat(100))
  expect(await readFile(file, 'utf8')).toBe('g'.repeat(100))
  for (const name of ['b', 'h']) {
    const again = await openRemoteAssets(options).file(`${server.origin}/${name}`)
    expect(await readFile(again, 'utf8')).toBe(name.repeat(100))
  }
})
