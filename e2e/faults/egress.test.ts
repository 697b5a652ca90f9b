import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { namesOfThisMachine, openCanary } from '../support/canary.ts'
import { here, scratch, vidInProcess as vid } from '../support/vid.ts'

const configOf = (engine: string, options: string) =>
  `import engine from '@vid/capture-${engine}'\nexport default { capture: engine(${options}) }`

/**
 * A project of one composition with a script, and with a file for each kind of worker. A picture of one colour would be
 * drawn a second time to verify it, and the page try everything again.
 */
const project = async (script: string, config: string, head = '') => {
  const folder = join(await scratch(), 'project')
  await mkdir(folder)
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  const files = {
    'index.html': `<!doctype html><html><head>${head}</head><body style="margin:0"><div id="root" data-composition-id="x" data-width="64" data-height="36" data-duration="0.5" style="background:linear-gradient(#00c000, #0000c0)"></div><script>${script}</script></body></html>`,
    'vid.config.mjs': config,
    'ways.js': `const ways = ${ways}`,
    'worker.js': `importScripts('/ways.js')
onmessage = ({ data }) => Promise.allSettled(data.map((at) => ways(at, 'worker')))
onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => Promise.allSettled(data.map((at) => ways(at, 'shared-worker'))).then(() => port.postMessage('done'))
}`,
    'service.js': `importScripts('/ways.js')
const names = JSON.parse(decodeURIComponent(new URL(location).search.slice(1)))
oninstall = (event) => event.waitUntil(Promise.allSettled(names.map((at) => ways(at, 'service-worker'))))`,
    'frame.html': `<!doctype html><script src="/ways.js"></script><script>
onmessage = ({ data }) => Promise.allSettled(data.map((at) => ways(at, 'frame')))
parent.postMessage('ready', '*')</script>`,
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** What pages, frames and workers all have. */
const ways = `(at, from) => {
  const url = (way) => 'http://' + at + '/' + from + '-' + way
  const settled = (target, ...events) => new Promise((done) => { for (const name of events) target.addEventListener(name, done) })
  const tried = [
    fetch(url('fetch'), { mode: 'no-cors' }),
    fetch(url('post'), { method: 'POST', mode: 'no-cors', body: 'secret', keepalive: true }),
    fetch(url('https').replace('http:', 'https:'), { mode: 'no-cors' }),
  ]
  if (typeof EventSource !== 'undefined') tried.push(settled(new EventSource(url('events')), 'open', 'error'))
  // Not waited for: a browser lets many sockets that fail wait for seconds.
  new WebSocket(url('socket').replace('http:', 'ws:'))
  if (typeof WebTransport !== 'undefined') try { tried.push(new WebTransport(url('transport').replace('http:', 'https:')).ready) } catch {}
  return Promise.allSettled(tried)
}`

/** What only a document has; `at` is \`name:port\`. */
const documentWays = `(at) => {
  const url = (way) => 'http://' + at + '/' + way
  const add = (tag, properties) => new Promise((done) => {
    const element = Object.assign(document.createElement(tag), properties)
    element.onload = element.onerror = done
    document.head.append(element)
  })
  navigator.sendBeacon(url('beacon'), 'secret')
  for (const rel of ['dns-prefetch', 'preconnect', 'prefetch', 'prerender', 'modulepreload', 'icon', 'manifest', 'search'])
    add('link', { rel, href: url(rel) })
  for (const as of ['script', 'style', 'image', 'font', 'fetch']) add('link', { rel: 'preload', as, href: url('preload-' + as), crossOrigin: 'anonymous' })
  add('script', { type: 'speculationrules', textContent: JSON.stringify({
    prefetch: [{ source: 'list', urls: [url('speculated-fetch')], eagerness: 'immediate' }],
    prerender: [{ source: 'list', urls: [url('speculated-page')], eagerness: 'immediate' }],
  }) })
  window.open(url('popup'))
  window.open(url('popup-quiet'), '_blank', 'noopener')
  const form = Object.assign(document.createElement('form'), { method: 'post', action: url('form'), target: '_blank' })
  document.body.append(form)
  form.submit()
  const link = Object.assign(document.createElement('a'), { href: url('ping-link'), ping: url('ping'), target: '_blank' })
  document.body.append(link)
  link.click()
  for (const [tag, key] of [['object', 'data'], ['embed', 'src'], ['iframe', 'src'], ['portal', 'src']])
    document.body.append(Object.assign(document.createElement(tag), { [key]: url(tag), hidden: true }))
  for (const [tag, key] of [['video', 'src'], ['audio', 'src'], ['track', 'src'], ['input', 'src']])
    document.head.append(Object.assign(document.createElement(tag), { type: 'image', preload: 'auto', [key]: url(tag) }))
  new Audio(url('sound'))
  const peer = typeof RTCPeerConnection === 'undefined' || !few.includes(at) ? undefined : (async () => {
    const credentials = { username: 'u', credential: 'c' }
    const connection = new RTCPeerConnection({ iceServers: [
      { urls: 'stun:' + at }, { urls: 'turn:' + at, ...credentials }, { urls: 'turn:' + at + '?transport=tcp', ...credentials },
      { urls: 'turns:' + at + '?transport=tcp', ...credentials },
    ] })
    connection.createDataChannel('out')
    const gathered = new Promise((done) => { connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && done() })
    await connection.setLocalDescription(await connection.createOffer())
    await gathered
  })()
  return Promise.allSettled([peer, add('img', { src: url('image') }), add('script', { src: url('script') }), add('link', { rel: 'stylesheet', href: url('style') })])
}`

/** A page that tries to reach the addresses by every way that a page has, and waits until each has failed. */
const hostile = (addresses: readonly string[]) => `
const at = ${JSON.stringify(addresses)}
const few = at.filter((each) => /^(127.0.0.1|x.localhost|.::1.):/.test(each))
const ways = ${ways}
const documentWays = ${documentWays}
const heard = (target, wanted) => new Promise((done) => {
  target.addEventListener('message', ({ data }) => data === wanted && done())
  target.addEventListener('error', done)
})
const inWorker = () => new Worker('/worker.js').postMessage(few)
const inShared = () => { const { port } = new SharedWorker('/worker.js'); port.start(); port.postMessage(few); return heard(port, 'done') }
const inService = async () => {
  const registration = await navigator.serviceWorker.register('/service.js?' + encodeURIComponent(JSON.stringify(few)))
  const worker = registration.installing
  await new Promise((done) => worker.addEventListener('statechange', done))
}
const inFrame = () => {
  const frame = Object.assign(document.createElement('iframe'), { src: '/frame.html', hidden: true })
  addEventListener('message', ({ data }) => data === 'ready' && frame.contentWindow.postMessage(few, '*'))
  document.body.append(frame)
}
const all = (make) => Promise.allSettled(at.map(make))
const work = { page: Promise.allSettled(few.map((each) => ways(each, 'page'))), document: all(documentWays), shared: inShared(), service: inService() }
inWorker()
inFrame()
for (const [name, trying] of Object.entries(work)) {
  const settled = (how) => console.error('TRIED ' + name + how)
  __vid.waitUntil(trying.then(() => settled(''), (reason) => settled(' ' + reason)))
}
`

test.each([
  ['a headless shell on begin-frame', 'puppeteer', `{ lane: 'begin-frame' }`],
  ['playwright with screenshots', 'playwright', `{ lane: 'screenshot' }`],
])('nothing of a page reaches this machine, whichever way it tries: %s', async (_name, engine, options) => {
  const canary = await openCanary()
  const addresses = namesOfThisMachine().map((name) => `${name}:${canary.port}`)
  const folder = await project(hostile(addresses), configOf(engine, options))
  const { code, stderr } = await vid(['render', folder, '-o', join(folder, '..', 'out.mp4')])
  expect(code, stderr.slice(-3000)).toBe(0)
  for (const name of ['page', 'document', 'shared', 'service']) expect(stderr).toContain(`TRIED ${name}.\n`)
  for (const from of ['worker', 'frame']) expect(stderr).toContain(`${from}-post was refused`)
  for (const way of ['popup', 'form']) expect(stderr).toMatch(new RegExp(`VID_NETWORK_REFUSED: .*/${way};`))
  expect(canary.arrived).toEqual([])
})

test.each([
  ['a script', `location.href = at`],
  ['a form', `document.body.innerHTML = '<form method=post action=' + at + '>'; document.forms[0].submit()`],
  ['a refresh', `document.head.innerHTML = '<meta http-equiv=refresh content="0; url=' + at + '">'`],
  ['a link to the top of all frames', `open(at, '_top')`],
])('a page that goes elsewhere by %s ends the render, and reaches nothing', async (_name, script) => {
  const canary = await openCanary()
  const folder = await project(
    `const at = 'http://x.localhost:${canary.port}/'\n${script}\n__vid.waitUntil(new Promise(() => {}))`,
    configOf('puppeteer', ''),
  )
  const { code, stderr } = await vid(['render', folder, '-o', join(folder, '..', 'out.mp4')])
  expect(code, stderr).not.toBe(0)
  expect(stderr).toContain('VID_PAGE_NAVIGATED')
  expect(canary.arrived).toEqual([])
})
