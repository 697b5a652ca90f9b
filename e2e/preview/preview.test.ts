import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openBrowser, openPausedPlayer } from '../support/paused-player.ts'
import { printed, scratch, start, vid } from '../support/vid.ts'

const page = (script: string, body = '') => `<!doctype html><html><body style="margin:0">
<div data-composition-id="main" data-width="320" data-height="180" data-duration="1" style="background:#123">${body}</div>
<script>${script}</script></body></html>`

/** A config of its own: that of this repository, which is found from here, loads every plugin. */
const OWN = { 'vid.config.mjs': 'export default {}' }

/** A folder with a composition. */
const projectOf = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = join(await scratch(), 'project')
  await mkdir(folder)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** The first line that the command writes on stdout, as JSON. */
const started = async (run: ReturnType<typeof start>) => {
  const [line] = await printed(run, /^\{.*\n/)
  return JSON.parse(line) as { type: string; url: string; port: number; origin: string }
}

test('the command says where the preview is, and leaves nothing behind at Ctrl-C', async () => {
  const folder = await projectOf({ 'index.html': page('') })
  const temporary = await scratch()
  const env = { TMPDIR: temporary }
  const running = start(['preview', folder, '--json'], { env })
  const { type, url, port, origin } = await started(running)
  expect(type).toBe('preview-start')
  expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/\\?token=[\\w-]{32}$`))
  expect((await fetch(url)).headers.get('set-cookie')).toContain('HttpOnly; SameSite=Strict')
  expect((await fetch(`${origin}/index.html`)).status).toBe(200)
  // Opens what the plugins of the config find sources by.
  expect((await fetch(`${origin}/.vid/30/sound?src=gone.wav&from=0&count=1`)).status).toBe(404)
  running.child.kill('SIGINT')
  expect(await running.done).toMatchObject({ code: 0 })
  expect((await readdir(temporary)).filter((name) => name.startsWith('vid-'))).toEqual([])
  await expect(fetch(url)).rejects.toThrow()
})

test('a folder without a composition is refused with the exit code of wrong input', async () => {
  const folder = await projectOf({ 'about.html': '<p>Another page</p>' })
  const { code, stderr } = await vid(['preview', folder])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('VID_PREVIEW_EMPTY') })
})

test('a hostile composition reaches neither the API nor this machine', async () => {
  const urls: string[] = []
  const canary = createServer(({ url = '' }, reply) => {
    urls.push(url)
    reply.setHeader('access-control-allow-origin', '*').end('secret')
  })
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    canary.closeAllConnections()
    canary.close()
  })
  const place = `127.0.0.1:${(canary.address() as AddressInfo).port}`
  const script = `
    const found = document.createElement('pre')
    document.querySelector('div').append(found)
    const tell = (name) => (value) => { found.textContent += name + ':' + value + ' ' }
    const own = Number(location.port)
    const read = (url, options) => fetch(url, options).then((reply) => reply.text()).catch(() => 'refused')
    const image = (url) => new Promise((resolve) => {
      const each = new Image(); each.onload = () => resolve('loaded'); each.onerror = () => resolve('refused'); each.src = url
    })
    const socket = (url) => new Promise((resolve) => {
      try { const each = new WebSocket(url); each.onopen = () => resolve('open'); each.onerror = () => resolve('refused') } catch { resolve('refused') }
    })
    __vid.waitUntil((async () => {
      for (const port of [own - 1, own]) {
        tell('api')(await read('http://127.0.0.1:' + port + '/api/project', { credentials: 'include' }))
        tell('post')(await read('http://127.0.0.1:' + port + '/api/jobs', { method: 'POST', credentials: 'include', mode: 'no-cors' }))
      }
      tell('fetch')(await read('http://${place}/fetch'))
      tell('image')(await image('http://${place}/image'))
      tell('socket')(await socket('ws://${place}/socket'))
      tell('worker')(await navigator.serviceWorker.register('/own.js').then(() => 'registered', () => 'refused'))
      const thread = new Worker('/thread.js')
      tell('thread')(await new Promise((resolve) => { thread.onmessage = ({ data }) => resolve(data); thread.onerror = () => resolve('refused') }))
      try { tell('parent')(parent.document.title) } catch { tell('parent')('refused') }
      navigator.sendBeacon('http://${place}/beacon', 'x')
      document.title = found.textContent
    })())`
  const thread = `fetch('http://${place}/thread').then((reply) => reply.text()).catch(() => 'refused').then(postMessage)`
  const folder = await projectOf({ 'index.html': page(script), 'own.js': '', 'thread.js': thread, ...OWN })
  const player = await openPausedPlayer(await openBrowser(), folder, 'index.html')
  const frame = player.page.frames().find((candidate) => candidate.url().startsWith(player.preview.origin))
  const text = await frame?.evaluate(() => document.querySelector('pre')?.textContent ?? '')
  const values = (text ?? '').trim().split(' ')
  expect(values.map((value) => value.split(':')[0])).toEqual([
    'api',
    'post',
    'api',
    'post',
    'fetch',
    'image',
    'socket',
    'worker',
    'thread',
    'parent',
  ])
  for (const value of values) expect(value).toMatch(/:(?:refused)?$/)
  expect(urls).toEqual([])
})
