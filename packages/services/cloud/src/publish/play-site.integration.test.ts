import { request } from 'node:http'
import { expect, test } from 'vitest'
import { delayOf, hostilePages } from '../../../../../scripts/dev/loop-turns.ts'
import { partOf } from '../../../../../scripts/dev/part-of.ts'
import { page, startCloud } from '../fixtures/cloud.ts'
import { checkCloudSettings } from '../options.ts'
import { hostLabelOf } from './play-address.ts'
import { addPublicationRoutes } from './publication-routes.ts'

/** Asks a server under a name: `fetch` sends that of the address. */
const ask = (port: string, host: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
  new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const outgoing = request({ port, path, headers: { host, ...headers } }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }))
    })
    outgoing.on('error', reject).end()
  })

const FILES = {
  'index.html': page(),
  'data/a b.txt': 'b',
  'style.css': 'p{font-family:sans-serif}',
  '.env': 'secret',
  'openapi.json': 'of the project',
}

/** A server with the page of a render of some files. */
const publishFiles = async (
  fields: Readonly<Record<string, unknown>> = {},
  options = {},
  settings = {},
  files: Readonly<Record<string, string>> = FILES,
) => {
  const cloud = await startCloud(options, {
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
  })
  const asset = await cloud.asset(files)
  const { json } = await cloud.submit(asset, fields)
  const { render_id: renderId } = json.data
  const publication = await cloud.post('/v3/vid/publications', { render_id: renderId, ...settings })
  const { url, publication_id: id } = publication.json.data
  const { port, pathname } = new URL(url)
  const label = hostLabelOf(pathname.split('/').at(-1) ?? '')
  const host = `${label}.localhost:${port}`
  const get = (path: string, headers = {}) => ask(port, host, path, headers)
  const document = (path: string) => get(path, { 'sec-fetch-dest': 'iframe' })
  return { ...cloud, address: url, id, renderId, port, host, label, get, document }
}

test('a composition is played under a name of its own, which its page alone may show', async () => {
  const { url, address, host, get, document } = await publishFiles({ variables: { title: 'given' } })
  const reply = await fetch(address)
  const policy = reply.headers.get('content-security-policy')
  expect(policy).toContain(`frame-src http://${host}`)
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+'; connect-src 'self'/)
  const text = await reply.text()
  expect(text).toContain(`src="http://${host}/index.html"`)
  const [, player = ''] = /import '([^']+)'/.exec(text) ?? []
  const script = await fetch(`${url}${player}`)
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(await script.text()).toContain('vid-player')

  const composition = await document('/index.html')
  expect(composition.status).toBe(200)
  expect(composition.text).toContain('data-vid-player')
  expect(composition.text).toContain('"title":"given"')
  expect(composition.headers['content-security-policy']).toContain(`frame-ancestors 'self' ${url}`)
  expect(composition.headers['content-security-policy']).toContain('sandbox allow-scripts allow-same-origin')
  expect((await get('/data/a%20b.txt')).text).toBe('b')
  // As in the preview, generic families are those of a render.
  expect((await get('/style.css')).text).toContain('Inter, sans-serif')
})

test('on that origin is nothing of the API, and no file that is hidden or of another project', async () => {
  const { url, account, address, port, label, get, document } = await publishFiles()
  const key = { 'x-api-key': account.key }
  expect((await get('/openapi.json')).text).toBe('of the project')
  for (const path of ['/v3/vid/renders', '/health', '/metrics', new URL(address).pathname])
    expect([path, (await get(path, key)).status]).toEqual([path, 404])
  expect((await get('/.env')).status).toBe(403)
  expect((await document('/../../x.html')).text).toContain('It cannot be played')
  const worker = { 'service-worker': 'script' }
  expect((await get('/style.css', worker)).status).toBe(404)
  expect((await get('/.vid/worker.js', worker)).status).toBe(404)
  const others = [`${'0'.repeat(32)}.localhost:${port}`, `${label}.other.localhost:${port}`]
  for (const host of others) expect((await ask(port, host, '/index.html')).status).toBeGreaterThanOrEqual(400)
  expect((await ask(port, `${label.toUpperCase()}.localhost:${port}`, '/data/a%20b.txt')).status).toBe(200)
  expect((await fetch(`${url}/index.html`)).status).toBe(401)
})

test('a page that was removed takes the origin of its composition along', async () => {
  const { send, id, get, address } = await publishFiles()
  expect((await get('/data/a%20b.txt')).status).toBe(200)
  expect((await send('DELETE', `/v3/vid/publications/${id}`)).status).toBe(200)
  expect((await get('/data/a%20b.txt')).status).toBe(404)
  expect((await fetch(address)).status).toBe(404)
})

test('a page that may not play shows the video alone, and offers no file from the moment on that says so', async () => {
  const { post, renderId, address, label, get, document } = await publishFiles()
  const change = async (fields: object) =>
    (await post('/v3/vid/publications', { render_id: renderId, ...fields })).json.data
  expect((await get('/data/a%20b.txt')).status).toBe(200)
  expect(await change({ play: false })).toMatchObject({ url: address, play: false })
  for (const path of ['/data/a%20b.txt', '/.vid/worker.js', '/missing.txt'])
    expect([path, (await get(path)).status]).toEqual([path, 404])
  const missing = await document('/index.html')
  expect([missing.status, missing.text]).toEqual([404, expect.not.stringContaining('data-vid-player')])
  const reply = await fetch(address)
  expect(reply.status).toBe(200)
  // Nor does it say where the composition was.
  expect((await reply.text()) + reply.headers.get('content-security-policy')).not.toContain(label)
  expect(reply.headers.get('content-security-policy')).not.toMatch(/script-src|frame-src/)
  // Another change leaves it so; it plays again when that is asked for.
  expect(await change({ title: 'Another' })).toMatchObject({ title: 'Another', play: false })
  expect((await get('/data/a%20b.txt')).status).toBe(404)
  expect(await change({ play: true })).toMatchObject({ play: true })
  expect((await get('/data/a%20b.txt')).text).toBe('b')
})

test('a page that was made without playing never offers a file', async () => {
  const { address, get } = await publishFiles({}, {}, { play: false })
  expect((await get('/data/a%20b.txt')).status).toBe(404)
  const text = await (await fetch(address)).text()
  expect(text).not.toMatch(/<vid-player|<script/)
})

test('a composition that is rendered in another shape is played in that shape', async () => {
  const { document } = await publishFiles({ aspect_ratio: '9:16' })
  const { text } = await document('/index.html')
  expect(text).toMatch(/data-width="36" data-height="64"/)
})

test('a composition that cannot be put together, or whose project is gone, is not played', async () => {
  const { database, address, document } = await publishFiles()
  expect((await document('/missing.html')).text).toContain('It cannot be played')
  await database.run('DELETE FROM vid.assets')
  expect(await (await fetch(address)).text()).not.toContain('vid-player controls')
})

test('a server that others reach plays only where it is told to', async () => {
  const open = await publishFiles({}, { publicUrl: 'https://render.example' })
  expect(await (await fetch(open.address.replace('https://render.example', open.url))).text()).not.toContain(
    'vid-player controls',
  )
  const origins = { publicUrl: 'https://render.example', playUrl: 'https://*.films.example:8443' }
  const { url, address, label, port } = await publishFiles({}, origins)
  const page = await fetch(address.replace('https://render.example', url))
  expect(await page.text()).toContain(`src="https://${label}.films.example:8443/index.html"`)
  const listening = new URL(url).port || port
  expect((await ask(listening, `${label}.films.example`, '/data/a%20b.txt')).text).toBe('b')
})

test.each([
  ['https://render.example', 'https://*.render.example'],
  ['https://api.render.example', 'https://*.render.example'],
  ['https://render.example', 'https://*.films.render.example'],
  ['https://render.example', 'https://films.example'],
  ['https://render.example', 'https://*.films.example/path'],
])('a server at %s refuses to play at %s', (publicUrl, playUrl) => {
  expect(() => checkCloudSettings({ publicUrl, playUrl })).toThrow('playUrl')
})

test.each(partOf(['a template of many elements', 'many rules', 'a script of many brackets'], 1))(
  'playing %s leaves the event loop to others',
  async (name) => {
    const [, html = ''] = hostilePages(page()).find(([what]) => what === name) ?? []
    const files = {
      'index.html': html,
      'inner.html': page(),
      'style.css': 'p{font-family:serif}'.repeat(100_000),
      'script.js': 'import "https://a.invalid/x";'.repeat(100_000),
    }
    const { document, get } = await publishFiles({}, {}, {}, files)
    // What is loaded once is no delay by a stranger.
    await document('/inner.html')
    for (const ask of [() => document('/index.html'), () => get('/style.css'), () => get('/script.js')]) {
      const { delayMs, result } = await delayOf<{ readonly status: number }>(ask, () => document('/inner.html'))
      expect(delayMs).toBe(0)
      expect(result.status).toBe(200)
    }
  },
)
