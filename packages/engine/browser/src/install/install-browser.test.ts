import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, truncate } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type RawEntry, rawZip, unixMode } from '../../../project/src/fixtures/raw-zip.ts'
import { freshFolder } from '../fixtures/archives.ts'
import { findDownloaded } from '../launch/downloaded.ts'
import { findBrowser } from '../launch/find.ts'
import { MILESTONE } from '../launch/platform.ts'
import { installBrowser } from './install-browser.ts'

const VERSION = `${MILESTONE}.0.1.2`
const PLATFORM = 'linux64'
const LINUX = { platform: 'linux', arch: 'x64' } as const
const ZIP_PATH = `/${VERSION}/${PLATFORM}/chrome-headless-shell-${PLATFORM}.zip`

const program = (text: string): RawEntry => ({
  name: `chrome-headless-shell-${PLATFORM}/chrome-headless-shell`,
  data: Buffer.from(`#!/bin/sh\necho '${text}'\n`),
  attributes: unixMode(0o100755),
})
const zipOf = (text: string) =>
  rawZip([program(text), { name: `chrome-headless-shell-${PLATFORM}/data.pak`, data: Buffer.alloc(5000) }])
const WHOLE = zipOf(`HeadlessChrome ${VERSION}`)

interface Mirror {
  readonly zip?: Buffer
  readonly sha256?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly index?: string
  /** Answers the request for the zip. */
  readonly send?: (response: ServerResponse, zip: Buffer) => void
}

const sendWhole = (response: ServerResponse, zip: Buffer) => void response.end(zip)

/** A copy of Chrome for Testing on this machine, with a cache folder for what is fetched from it. */
const openMirror = async ({ zip = WHOLE, sha256, headers = {}, index, send = sendWhole }: Mirror = {}) => {
  const url = `https://storage.googleapis.com/chrome-for-testing-public${ZIP_PATH}`
  const offer = { platform: PLATFORM, url, ...(sha256 !== undefined && { sha256 }) }
  const milestone = { version: VERSION, downloads: { 'chrome-headless-shell': [offer] } }
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    if (request.url?.endsWith('.json'))
      return void response.end(index ?? JSON.stringify({ milestones: { [MILESTONE]: milestone } }))
    if (request.url !== `/copy${ZIP_PATH}`) return void response.writeHead(404).end()
    response.writeHead(200, headers)
    send(response, zip)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const folder = await freshFolder()
  onTestFinished(() => folder[Symbol.asyncDispose]())
  const mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}/copy/`
  const signal = new AbortController().signal
  const install = (env: NodeJS.ProcessEnv = {}, machine: Parameters<typeof installBrowser>[0]['machine'] = LINUX) =>
    installBrowser({
      cacheDir: folder.path,
      machine,
      signal,
      env: { PATH: process.env.PATH, VID_BROWSER_MIRROR: mirror, ...env },
    })
  return { install, requests, cacheDir: folder.path }
}

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('base64')

test('a browser is downloaded from the mirror once, and found from then on', async () => {
  const { install, requests, cacheDir } = await openMirror({
    headers: { 'x-goog-hash': `crc32c=x,md5=${md5(WHOLE)}` },
  })
  const installed = await install()
  expect(installed).toMatchObject({ version: VERSION, fresh: true })
  expect(dirname(installed.path)).toBe(join(cacheDir, `downloaded-${VERSION}`))
  expect(await findDownloaded(cacheDir)).toEqual({ path: installed.path, version: VERSION })
  expect(await install()).toMatchObject({ path: installed.path, fresh: false })
  expect(requests.filter((path) => path.endsWith('.zip'))).toHaveLength(1)
  expect(await readdir(cacheDir)).toEqual([`downloaded-${VERSION}`])
})

test('a downloaded browser that was damaged is an error to renders, and replaced by the next download', async () => {
  const { install, cacheDir } = await openMirror()
  const { path } = await install()
  await truncate(join(dirname(path), 'data.pak'), 10)
  await expect(findDownloaded(cacheDir)).rejects.toMatchObject({ code: 'VID_BROWSER_DOWNLOADED_DAMAGED' })
  expect(await install()).toMatchObject({ fresh: true })
  expect(await findDownloaded(cacheDir)).toMatchObject({ path })
  expect((await readFile(join(dirname(path), 'data.pak'))).length).toBe(5000)
})

test.each<[string, Mirror, string]>([
  ['whose digest is not that of the index', { sha256: '0'.repeat(64) }, 'VID_BROWSER_DOWNLOAD'],
  [
    'whose digest is not that of the storage',
    { headers: { 'x-goog-hash': `md5=${md5(Buffer.of(1))}` } },
    'VID_BROWSER_DOWNLOAD',
  ],
  [
    'that is cut',
    {
      headers: { 'content-length': String(WHOLE.length) },
      send: (response, zip) => void response.write(zip.subarray(0, 300), () => response.destroy()),
    },
    'VID_BROWSER_DOWNLOAD',
  ],
  ['that is missing', { send: (response) => void response.destroy() }, 'VID_BROWSER_DOWNLOAD'],
  ['that is no zip', { zip: Buffer.from('<html>sign in</html>') }, 'VID_BROWSER_DOWNLOAD_UNFIT'],
  ['without the program', { zip: rawZip([{ name: 'a/readme' }, { name: 'a/b' }]) }, 'VID_BROWSER_DOWNLOAD_UNFIT'],
  [
    'with a path out of its folder',
    { zip: rawZip([program('x'), { name: '../../evil' }]) },
    'VID_BROWSER_DOWNLOAD_UNFIT',
  ],
  ['of another version', { zip: zipOf('HeadlessChrome 1.2.3.4') }, 'VID_BROWSER_DOWNLOAD_UNFIT'],
  ['whose program does not start', { zip: zipOf('cannot open libnss3.so') }, 'VID_BROWSER_DOWNLOAD_STARTS_NOT'],
  ['behind a page of a proxy', { index: '<html>sign in</html>' }, 'VID_BROWSER_DOWNLOAD_UNFIT'],
  ['of an index without this milestone', { index: '{"milestones":{}}' }, 'VID_BROWSER_NO_DOWNLOAD'],
])('a download %s is refused, and leaves nothing', async (_, mirror, code) => {
  const { install, cacheDir } = await openMirror(mirror)
  await expect(install()).rejects.toMatchObject({ code, fault: 'machine' })
  expect(await readdir(cacheDir)).toEqual([])
})

test('a machine that Chrome for Testing has no browser for is named', async () => {
  const { install } = await openMirror()
  await expect(install({}, { platform: 'linux', arch: 'arm64' })).rejects.toMatchObject({
    code: 'VID_BROWSER_NO_DOWNLOAD',
    message: expect.stringContaining('linux arm64'),
  })
  await expect(install({}, { platform: 'freebsd', arch: 'x64' })).rejects.toMatchObject({
    code: 'VID_BROWSER_NO_DOWNLOAD',
  })
})

test.each(['ftp://a', 'nonsense', 'https://a/?q'])('the mirror %j is an error of the caller', async (value) => {
  const { install } = await openMirror()
  await expect(install({ VID_BROWSER_MIRROR: value })).rejects.toMatchObject({
    code: 'VID_BROWSER_MIRROR_INVALID',
    fault: 'caller',
  })
})

test('the release that is downloaded is that of the embedded browser', async () => {
  const { version, source } = await findBrowser({ env: { ...process.env, VID_BROWSER_PATH: '' } })
  expect(source).toBe('embedded')
  expect(Number(version.split('.')[0])).toBe(MILESTONE)
})
