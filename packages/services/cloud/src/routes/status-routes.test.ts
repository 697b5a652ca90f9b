import promises, { mkdir, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { clientOf, patient, startCloud, zipOf } from '../fixtures/cloud.ts'

const METRICS = 'a-token-of-the-operator'

test('metrics count requests by the pattern of their route, and work', async () => {
  const { get, submit, asset } = await startCloud()
  const assetId = await asset()
  await submit(assetId)
  await get('/v3/vid/renders/render_1')
  const { status, json } = await get('/metrics')
  expect(status).toBe(200)
  expect(json).toContain('vid_renders_accepted_total 1\n')
  expect(json).toContain('vid_assets_total 1\n')
  expect(json).toMatch(/vid_http_seconds_count\{method="GET",route="\/v3\/vid\/renders\/:render_id",status="404"\} 1\n/)
})

test('metrics of a server that others reach are for its operator alone', async () => {
  const publicUrl = 'https://api.example'
  const closed = await startCloud({ publicUrl })
  expect((await closed.get('/metrics')).json.error.code).toBe('forbidden')
  const open = await startCloud({ publicUrl, metricsToken: METRICS })
  expect((await open.get('/metrics')).json.error.code).toBe('unauthorized')
  const send = (token: string) => open.send('GET', '/metrics', { headers: { authorization: `Bearer ${token}` } })
  expect((await send('another-token-here')).status).toBe(401)
  expect((await send(METRICS)).status).toBe(200)
})

/** The status of a request that names a host. */
const statusFor = (url: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const outgoing = request(`http://127.0.0.1:${new URL(url).port}/health`, { headers: { host } }, (reply) => {
      reply.resume()
      resolve(reply.statusCode)
    })
    outgoing.once('error', reject)
    outgoing.end()
  })

test('a server behind another address says that one, and answers to its name', async () => {
  const { upload, send, url } = await startCloud({ publicUrl: 'https://api.example' })
  expect(await statusFor(url, 'api.example')).toBe(200)
  expect(await statusFor(url, 'elsewhere.example')).toBe(421)
  // Load balancers ask by address.
  const open = await startCloud({ publicUrl: 'https://api.example', host: '0.0.0.0' })
  expect(await statusFor(open.url, '10.0.0.7:9848')).toBe(200)
  const { json } = await upload(Buffer.from('no zip'))
  expect(json.error.doc_url).toBe('https://api.example/docs/errors#vid_project_invalid')
  expect((await send('GET', '/health')).status).toBe(200)
  expect((await clientOf(url, undefined).get('/docs/errors')).headers.get('content-security-policy')).toBe(
    "default-src 'none'",
  )
})

test('a browser that asks for the icon of a page is not asked to sign in', async () => {
  const { url } = await startCloud()
  const { status, headers } = await clientOf(url, undefined).get('/favicon.ico')
  expect([status, headers.get('www-authenticate')]).toEqual([204, null])
})

test('a server that stops finishes what it has begun, and takes nothing new', async () => {
  let enter = () => {}
  let leave = () => {}
  const entered = new Promise<void>((resolve) => {
    enter = resolve
  })
  const departure = new Promise<void>((resolve) => {
    leave = resolve
  })
  const { cloud, submit, asset, url, account } = await startCloud(
    {},
    {
      queue: {
        async enqueue() {
          enter()
          await departure
        },
      },
    },
  )
  const running = submit(await asset())
  await entered
  // A connection that stands already: a stopping server takes no new ones.
  const closing = cloud.close(10_000)
  leave()
  expect((await running).status).toBe(202)
  await closing
  await expect(clientOf(url, account.key).get('/health')).rejects.toThrow()
})

test('no key, address of a callback or text of a request is in the log', async () => {
  const { submit, asset, get, post, lines, account, upload } = await startCloud()
  const secrets = { callback_url: 'https://hooks.example/word-callback', callback_id: 'word-id' }
  const headers = { 'idempotency-key': 'word-key' }
  const assetId = await asset()
  await submit(assetId, { ...secrets, title: 'word-title', variables: { title: 'word-value' } }, headers)
  await submit(assetId, { ...secrets, fps: 1000 }, headers)
  await get('/v3/vid/renders?token=word-token')
  await post('/v3/vid/renders', '{"word-json')
  const { json } = await upload(await zipOf({ 'index.html': 'word-zip' }), {
    authorization: 'Bearer word-bearer',
  })
  await fetch(json.data.url)
  await expect.poll(() => lines.filter((line) => line.includes('"request"')).length, patient).toBe(7)
  expect(lines.join('')).not.toMatch(/word|signature/)
  expect(lines.join('')).not.toContain(account.key)
})

/** Puts a file in the place of the folder in which the storage writes: reading goes on, and no object can be kept. */
const stopStorage = async (state: string) => {
  const incoming = join(state, 'files/.incoming')
  await rm(incoming, { recursive: true })
  await writeFile(incoming, '')
  return async () => {
    await rm(incoming)
    await mkdir(incoming)
  }
}

test('a server of which a part takes nothing more is not ready, and says which part, also while all can be read', async () => {
  const full = await startCloud()
  const mend = await stopStorage(full.state)
  const { status, headers, json } = await full.get('/ready')
  expect([status, headers.get('retry-after')]).toEqual([503, '10'])
  expect(json.error).toMatchObject({ code: 'unavailable', param: 'storage' })
  expect(JSON.stringify(json)).not.toContain(full.state)
  await mend()
  await expect.poll(async () => (await full.get('/ready')).status, patient).toBe(200)
  const database: typeof full.database = {
    ...full.database,
    async run(text, values) {
      if (text.includes("'ready'")) throw new Error('could not extend file: No space left on device')
      return full.database.run(text, values)
    },
  }
  const stuck = await startCloud({}, { database })
  const answer = await stuck.get('/ready')
  expect([answer.status, answer.json.error.param]).toEqual([503, 'database'])
  const unable = await startCloud({}, { startWork: async () => ({ close: async () => {}, problem: () => 'browser' }) })
  const ofWorker = await unable.get('/ready')
  expect([ofWorker.status, ofWorker.json.error.param]).toEqual([503, 'browser'])
})

test('a render that cannot be stored is not accepted', async () => {
  const { asset, submit, get, state, queued } = await startCloud()
  const assetId = await asset()
  const mend = await stopStorage(state)
  const { status, json } = await submit(assetId)
  expect([status, json.error.code, json.error.param]).toEqual([503, 'unavailable', 'storage'])
  expect(((await get('/v3/vid/renders')).json.data as unknown as readonly unknown[]).length).toBe(0)
  expect(queued).toEqual([])
  await mend()
  expect((await submit(assetId)).status).toBe(202)
})

test('a server whose folder takes nothing more refuses uploads until it does again', async () => {
  const { upload, state, lines } = await startCloud()
  const zip = await zipOf({ 'index.html': 'a' })
  const write = vi.spyOn(promises, 'mkdir').mockImplementation(async (path) => {
    throw Object.assign(new Error(`ENOSPC: no space left on device, mkdir '${path}'`), { code: 'ENOSPC' })
  })
  syncBuiltinESMExports()
  const { status, headers, json } = await upload(zip)
  write.mockRestore()
  syncBuiltinESMExports()
  expect([status, json.error.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '10'])
  expect(JSON.stringify(json)).not.toMatch(/ENOSPC|space/)
  expect(JSON.stringify(json)).not.toContain(state)
  expect(lines.join('')).toContain('ENOSPC')
  expect((await upload(zip)).status).toBe(200)
})
