import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findBrowser } from '@vid/browser'
import { readManifest, writeProjectZip } from '@vid/project'
import puppeteer, { type Browser } from 'puppeteer-core'
import { Client, request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'

const command = fileURLToPath(new URL('../../packages/engine/cli/bin/vid.js', import.meta.url))
const run = promisify(execFile)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const html =
  '<!doctype html><html><body style="margin:0"><div data-composition-id="root" data-width="32" data-height="32" data-duration="0.1" data-no-timeline style="width:32px;height:32px;background:teal"></div></body></html>'

let folder: string
let url: string
let producer: ChildProcess
let ended: Promise<unknown>
let pages: Server
let browser: Browser

/** The origin of the pages that may use the server; the same pages under another name may not. */
const originOf = (host: string) => `http://${host}:${(pages.address() as AddressInfo).port}`

/** Resolves with the address that the command prints. */
const listening = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk) => {
      text += chunk
      const url = /^listening on (\S+)\n/.exec(text)?.[1]
      if (url) resolve(url)
    })
    child.once('close', () => reject(new Error(`the server ended: ${text}`)))
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-e2e-producer-'))
  await mkdir(join(folder, 'intro'))
  await writeFile(join(folder, 'intro/index.html'), html)
  pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>page</title>')
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  producer = spawn(process.execPath, [command, 'producer', '--port', '0', '--allowed-origins', originOf('127.0.0.1')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env },
  })
  ended = new Promise((resolve) => producer.once('close', resolve))
  url = await listening(producer)
  const { path, env } = await findBrowser()
  browser = await puppeteer.launch({
    executablePath: path,
    headless: 'shell',
    pipe: true,
    env: { ...process.env, ...env },
    args: ['--no-sandbox', '--disable-gpu'],
    timeout: BROWSER_PATIENCE_MS,
  })
})

afterAll(async () => {
  await browser?.close()
  pages?.close()
  producer?.kill('SIGTERM')
  expect(await ended).toBe(0)
  await rm(folder, { recursive: true, force: true })
})

const curl = async (...args: string[]): Promise<string> =>
  (await run('curl', ['-sS', '--fail-with-body', ...args], { cwd: folder })).stdout
const json = (body: object) => ['-H', 'content-type: application/json', '-d', JSON.stringify(body)]

test('curl renders, and goes on with a download where it was cut', async () => {
  const reply = JSON.parse(await curl(`${url}/render`, ...json({ projectDir: 'intro' })))
  expect(reply).toMatchObject({ success: true, frames: 3, contentType: 'video/mp4' })
  const output = `${url}${reply.outputUrl}`
  await curl(output, '-r', '0-99', '-o', 'video.mp4')
  expect((await stat(join(folder, 'video.mp4'))).size).toBe(100)
  await curl(output, '-C', '-', '-o', 'video.mp4')
  expect(sha256(await readFile(join(folder, 'video.mp4')))).toBe(reply.digest)
})

test('curl sends a zip, and a project that later requests name', async () => {
  const project = join(folder, 'intro')
  const manifest = await readManifest(project)
  await writeProjectZip(project, manifest, join(folder, 'intro.zip'))
  const expected = JSON.parse(await curl(`${url}/render`, ...json({ html })))
  const zipped = JSON.parse(
    await curl(
      `${url}/render`,
      '-F',
      'request={"quality":"standard"};type=application/json',
      '-F',
      'projectZip=@intro.zip;type=application/zip',
    ),
  )
  await curl(`${url}/projects/${manifest.digest}`, '-T', 'intro.zip', '-H', 'content-type: application/zip')
  const named = JSON.parse(await curl(`${url}/render`, ...json({ project: manifest.digest })))
  expect([zipped.digest, named.digest]).toEqual([expected.digest, expected.digest])
})

test('curl shows the events as they come, the last of which tells the result', async () => {
  const text = await curl('-N', `${url}/render/stream`, ...json({ html }))
  const events = text
    .split('\n\n')
    .filter((block) => block.startsWith('data: '))
    .map((block) => JSON.parse(block.slice(6)))
  expect(events.map(({ type }) => type).filter((type) => type !== 'progress')).toEqual(['complete'])
  expect(events.at(-1)).toMatchObject({ frames: 3, success: true })
})

test('undici renders, and fetches the result over the same connection', async () => {
  const client = new Client(url)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ html, format: 'webm' })
  const { statusCode, body: reply } = await client.request({ path: '/render', method: 'POST', headers, body })
  const result = (await reply.json()) as { outputUrl: string; digest: string }
  expect(statusCode).toBe(200)
  const output = await client.request({ path: result.outputUrl, method: 'GET' })
  expect(output.headers['content-type']).toBe('video/webm')
  expect(sha256(await output.body.bytes())).toBe(result.digest)
  await client.close()
  const refused = await request(`${url}/render`, { method: 'POST', headers, body: '{"html":1}' })
  expect([refused.statusCode, await refused.body.json()]).toMatchObject([
    400,
    { error: { code: 'VID_HTTP_INVALID', field: 'html' } },
  ])
})

/** How many requests have ended, whatever their end. */
const finishedRenders = async (): Promise<number> => {
  const text = await curl(`${url}/metrics`)
  return [...text.matchAll(/^vid_requests_total\{.*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Renders from a page of a browser, and resolves to what its script sees. */
const renderInPage = async (address: string): Promise<{ types: string[]; bytes: number } | string> => {
  const page = await browser.newPage()
  page.setDefaultTimeout(BROWSER_PATIENCE_MS)
  try {
    await page.goto(address)
    return await page.evaluate(
      async (server: string, text: string) => {
        try {
          const response = await fetch(`${server}/render/stream`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ html: text }),
          })
          const types: string[] = []
          let last: { outputUrl: string } = { outputUrl: '' }
          let rest = ''
          const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
          for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
            const blocks = (rest + part.value).split('\n\n')
            rest = blocks.pop() ?? ''
            for (const block of blocks) {
              if (!block.startsWith('data: ')) continue
              const event = JSON.parse(block.slice(6))
              types.push(event.type)
              last = event
            }
          }
          const output = await fetch(`${server}${last.outputUrl}`)
          return { types, bytes: (await output.arrayBuffer()).byteLength }
        } catch (thrown) {
          return String(thrown)
        }
      },
      url,
      html,
    )
  } finally {
    await page.close()
  }
}

test('a page of the server, and one of an allowed origin, read the events and the result', async () => {
  for (const address of [`${url}/health`, originOf('127.0.0.1')]) {
    const seen = await renderInPage(address)
    expect(seen).toMatchObject({ bytes: expect.any(Number) })
    if (typeof seen === 'string') throw new Error(seen)
    expect(seen.types.filter((type) => type !== 'progress')).toEqual(['complete'])
    expect(seen.bytes).toBeGreaterThan(500)
  }
})

test('a page of any other origin starts nothing, and reads nothing', async () => {
  const before = await finishedRenders()
  expect(await renderInPage(originOf('localhost'))).toBe('TypeError: Failed to fetch')
  const page = await browser.newPage()
  page.setDefaultTimeout(BROWSER_PATIENCE_MS)
  await page.goto(originOf('localhost'))
  // A plain form asks no server for leave before it is sent.
  await page.evaluate((server: string) => {
    const form = document.createElement('form')
    Object.assign(form, { method: 'POST', action: `${server}/render`, enctype: 'multipart/form-data' })
    document.body.append(form)
    form.submit()
  }, url)
  await page.waitForNavigation()
  expect(await page.evaluate(() => document.body.textContent)).toContain('VID_HTTP_ORIGIN')
  await page.close()
  expect(await finishedRenders()).toBe(before)
})
