import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hangUp, inTurn, json, noise, refuse, sha256 } from '../fixtures/answers.ts'
import { type CloudScript, recordOf, startCloudServer } from '../fixtures/cloud-server.ts'
import { type CloudLimits, createCloudClient, listAll, renderFailure } from '../index.ts'

const KEY = 'key-of-ann'
/** Only a test that expects to be given up has a short one. */
const long: Partial<CloudLimits> = {
  replyMs: 60_000,
  idleMs: 60_000,
  awayMs: 60_000,
  followMs: 60_000,
  fullMs: 60_000,
  brokenMs: 60_000,
}

const start = async (script: CloudScript = {}, limits: Partial<CloudLimits> = {}, apiKey = KEY) => {
  const server = await startCloudServer(script)
  const client = createCloudClient({
    url: server.url,
    credential: { apiKey },
    limits: { ...long, ...limits },
  })
  onTestFinished(() => client.close())
  return { server, client }
}

const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloud-client-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const makeZip = async (bytes: number) => {
  const content = noise(bytes)
  const path = join(await makeFolder(), 'project.zip')
  await writeFile(path, content)
  return { content, zip: { path, bytes, digest: sha256(content) } }
}

const rejection = async (work: Promise<unknown>) => {
  const thrown = await work.then(
    () => ({ code: 'resolved' }),
    (error: unknown) => error,
  )
  return thrown as Error & { code: string; fault: string; hint: string; facts: Record<string, unknown> }
}

const project = { type: 'asset_id', asset_id: 'asset_1' } as const

test('a small zip goes in one request, with progress to its last byte', async () => {
  const { server, client } = await start()
  const { content, zip } = await makeZip(700_000)
  const progress: number[] = []
  const asset = await client.upload({ zip }, { onProgress: (bytes) => progress.push(bytes) })
  expect(asset).toMatchObject({ asset_id: 'asset_1', size_bytes: zip.bytes })
  expect(server.assets[0]?.equals(content)).toBe(true)
  expect([progress.at(-1), progress.length > 1]).toEqual([zip.bytes, true])
  expect(server.requests[0]?.headers).toMatchObject({ 'x-api-key': KEY, 'idempotency-key': expect.any(String) })
})

test('an upload whose connection is cut is sent again under the same key, and makes one asset', async () => {
  const answers = { 'POST /v3/assets': inTurn(hangUp, hangUp) }
  const { server, client } = await start({ answers })
  // A server that has answered before is waited for longer.
  await rejection(client.get('render_1'))
  const { content, zip } = await makeZip(300_000)
  await client.upload({ zip })
  expect([server.assets.length, server.assets[0]?.equals(content)]).toEqual([1, true])
  const uploads = server.requests.filter(({ line }) => line.startsWith('POST'))
  const keys = new Set(uploads.map(({ headers }) => headers['idempotency-key']))
  expect([server.lines('POST /v3/assets').length, keys.size]).toEqual([3, 1])
})

test('a large zip goes in parts, and a cut costs only the part that it hits', async () => {
  const { server, client } = await start({
    partBytes: 3 * 2 ** 20,
    answers: { 'PUT /v3/assets/uploads/upload_1/parts/1': inTurn(hangUp) },
  })
  const { content, zip } = await makeZip(9 * 2 ** 20)
  const progress: number[] = []
  await client.upload({ zip }, { onProgress: (bytes) => progress.push(bytes) })
  expect(server.assets[0]?.equals(content)).toBe(true)
  const puts = server.lines('PUT').map((line) => line.split('/').at(-1))
  expect(puts).toEqual(['0', '1', '1', '2'])
  expect(progress.at(-1)).toBe(zip.bytes)
})

test('parts that the server has already are not sent again', async () => {
  const { content, zip } = await makeZip(9 * 2 ** 20)
  const half = 5 * 2 ** 20
  const { server, client } = await start({
    partBytes: half,
    answers: {
      'POST /v3/assets/uploads/upload_1/complete': inTurn(
        json({
          data: { asset_id: 'asset_9', url: 'x', mime_type: 'application/zip', size_bytes: content.length },
        }),
      ),
      'POST /v3/assets/uploads': inTurn(
        json({
          data: {
            upload_id: 'upload_1',
            size_bytes: zip.bytes,
            part_bytes: half,
            parts: [0],
            expires_at: '',
          },
        }),
      ),
      'PUT ': () =>
        json({
          data: {
            upload_id: 'upload_1',
            size_bytes: zip.bytes,
            part_bytes: half,
            parts: [0, 1],
            expires_at: '',
          },
        }),
    },
  })
  expect((await client.upload({ zip })).asset_id).toBe('asset_9')
  expect(server.lines('PUT')).toEqual(['PUT /v3/assets/uploads/upload_1/parts/1'])
})

test('a large zip goes in one request where the server takes no parts', async () => {
  const { server, client } = await start({ hasParts: false })
  const { content, zip } = await makeZip(9 * 2 ** 20)
  await client.upload({ zip })
  expect(server.assets[0]?.equals(content)).toBe(true)
})

test('an upload that the server has lost is begun again', async () => {
  const { server, client } = await start({
    answers: { 'POST /v3/assets/uploads/upload_1/complete': inTurn(refuse(404, 'not_found')) },
  })
  const { content, zip } = await makeZip(9 * 2 ** 20)
  await client.upload({ zip })
  expect(server.assets[0]?.equals(content)).toBe(true)
  expect(server.lines('POST').at(-1)).toContain('upload_2/complete')
})

test('a submission whose reply is lost is sent again under the same key, and makes one render', async () => {
  let first = true
  const { server, client } = await start({
    answers: {
      'POST /v3/vid/renders': () => {
        if (!first) return undefined
        first = false
        return hangUp
      },
    },
  })
  const { render_id } = await client.submit({ project }, { idempotencyKey: 'run:1' })
  expect([render_id, server.renders.size]).toEqual(['render_1', 1])
  expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['run:1', 'run:1'])
  await client.submit({ project }, { idempotencyKey: 'run:1' })
  expect(server.renders.size).toBe(1)
  expect(await rejection(client.submit({ project, fps: 24 }, { idempotencyKey: 'run:1' }))).toMatchObject({
    code: 'idempotency_conflict',
    fault: 'caller',
  })
})

test('two calls without a key are two renders', async () => {
  const { server, client } = await start()
  await client.submit({ project })
  await client.submit({ project, fps: 24 })
  expect(server.renders.size).toBe(2)
})

test('what the API cannot take is refused before anything is sent', async () => {
  const { server, client } = await start()
  const wrong = [
    { project, resolution: '4k', format: 'webm' },
    { project, ladder: '720' },
    { project, format: 'hls', ladder: '721' },
    { project, fps: 241 },
    { project, aspect_ratio: '4:3' as never },
  ] as const
  for (const request of wrong)
    expect(await rejection(client.submit(request))).toMatchObject({ code: 'VID_API_REQUEST', fault: 'caller' })
  const key = await rejection(client.submit({ project }, { idempotencyKey: 'a b' }))
  expect([key.code, key.message]).toEqual(['VID_API_REQUEST', expect.stringContaining('a b')])
  expect(server.requests).toEqual([])
})

test.each([
  [400, 'vid_project_invalid', 'caller'],
  [404, 'vid_render_not_found', 'caller'],
  [401, 'unauthorized', 'caller'],
  [413, 'vid_project_too_large', 'caller'],
  [409, 'idempotency_conflict', 'caller'],
])('an error of the server keeps its code, words and parameter: %i %s', async (status, code, fault) => {
  const answer = refuse(status, code, { message: 'the value is wrong', param: 'project.url' })
  const { client } = await start({ answers: { 'GET /v3': () => answer } })
  const error = await rejection(client.get('render_1'))
  expect(error).toMatchObject({ code, fault, facts: { param: 'project.url', status } })
  expect([error.message, error.hint]).toEqual(['the value is wrong (project.url)', expect.stringMatching(/\w+/)])
})

test('errors that pass are waited for: 429 as long as it asks, 500, 503, and a request in progress', async () => {
  const { server, client } = await start({
    answers: {
      'GET /v3/vid': inTurn(
        refuse(429, 'rate_limit_exceeded', { headers: { 'retry-after': '1' } }),
        refuse(500, 'internal_error'),
        refuse(503, 'unavailable'),
        hangUp,
      ),
      'POST /v3/vid': inTurn(refuse(409, 'request_in_progress')),
    },
  })
  const { render_id } = await client.submit({ project })
  const since = performance.now()
  expect((await client.get(render_id)).status).toBe('completed')
  expect(performance.now() - since).toBeGreaterThan(1000)
  expect(server.lines('GET').length).toBe(5)
})

test('a server that stays broken is given up with its own code', async () => {
  const answers = { 'GET /v3/vid': () => refuse(500, 'internal_error') }
  const { client } = await start({ answers }, { brokenMs: 800 })
  expect(await rejection(client.get('render_1'))).toMatchObject({ code: 'internal_error', fault: 'machine' })
})

test('a render is waited for until it has ended, through a server that is away', async () => {
  const { server, client } = await start({
    records: [{}, { status: 'rendering', progress: 0.5 }, { status: 'completed' }],
    answers: { 'GET /v3/vid': inTurn(undefined, hangUp, refuse(503, 'unavailable'), undefined) },
  })
  const { render_id } = await client.submit({ project })
  const statuses: string[] = []
  let troubles = 0
  const record = await client.waitForRender(render_id, {
    pollMs: 20,
    onRecord: ({ status }) => statuses.push(status),
    onTrouble: () => {
      troubles += 1
    },
  })
  expect([record.status, statuses, troubles]).toEqual(['completed', ['queued', 'rendering', 'completed'], 2])
  expect(server.lines('GET').length).toBe(5)
})

test('a render is waited for while its server is gone, and found when another process goes on', async () => {
  const { server, client } = await start({ records: [{ status: 'rendering' }] })
  const { render_id } = await client.submit({ project })
  let next: Awaited<ReturnType<typeof startCloudServer>> | undefined
  const codes: unknown[] = []
  const record = await client.waitForRender(render_id, {
    pollMs: 20,
    onRecord: ({ status }) => void (status === 'rendering' && server.close()),
    async onTrouble(error) {
      codes.push((error as { code: string }).code)
      if (codes.length !== 2) return
      next = await startCloudServer({}, server.port)
      next.renders.set(render_id, { questions: 0, body: {} })
    },
  })
  expect(record.status).toBe('completed')
  expect(codes).toContain('VID_API_UNREACHABLE')
})

test('a credential that the server repeats is in no error', async () => {
  const { client } = await start({
    answers: {
      'GET /v3': ({ headers }) => refuse(400, 'invalid_parameter', { message: `got ${headers['x-api-key']}` }),
    },
  })
  const error = await rejection(client.get('render_1'))
  expect([error.message, error.hint, error.stack, JSON.stringify(error)].join()).not.toContain(KEY)
  const unfit = createCloudClient({ url: client.url, credential: { apiKey: `${KEY}\n` } })
  expect(await rejection(unfit.me())).toMatchObject({
    code: 'VID_API_TOKEN_UNFIT',
    message: expect.not.stringContaining(KEY),
  })
})

test('a wait that is over says how to go on, and an abort keeps its reason', async () => {
  const { client } = await start({ records: [{ status: 'rendering' }] })
  const { render_id } = await client.submit({ project })
  const error = await rejection(client.waitForRender(render_id, { pollMs: 10_000, maxWaitMs: 300 }))
  expect(error).toMatchObject({
    code: 'VID_API_WAIT_OVER',
    hint: expect.stringContaining(`vid cloud get ${render_id}`),
  })
  expect(error.message).toContain('rendering')
  const stop = new AbortController()
  const reason = new Error('enough')
  const waiting = client.waitForRender(render_id, {
    signal: stop.signal,
    pollMs: 10_000,
    onRecord: () => stop.abort(reason),
  })
  expect(await rejection(waiting)).toBe(reason)
})

test('a failed render has the code and words of the server', () => {
  const failed = {
    status: 'failed',
    failure_code: 'VID_ENTRY_MISSING',
    failure_message: 'no index.html',
  } as const
  expect(renderFailure(recordOf(failed))).toMatchObject({
    code: 'VID_ENTRY_MISSING',
    message: 'no index.html',
    fault: 'render',
  })
  expect(renderFailure(recordOf({ ...failed, failure_code: '\u001b[2J' }))).toMatchObject({
    code: 'VID_API_RENDER_FAILED',
  })
})

test('a render that is deleted while its reply is lost is deleted once', async () => {
  let first = true
  const { server, client } = await start({
    answers: {
      'DELETE /v3/vid': () => {
        if (!first) return undefined
        first = false
        return (request, response) => {
          server.renders.clear()
          hangUp(request, response)
        }
      },
    },
  })
  const { render_id } = await client.submit({ project })
  await client.delete(render_id)
  expect(await rejection(client.delete(render_id))).toMatchObject({ code: 'vid_render_not_found' })
})

test('a whole list goes from page to page, and one that comes back to a page is an error', async () => {
  const page = (token: string | null) => json({ data: [recordOf()], has_more: token !== null, next_token: token })
  const { server, client } = await start({
    answers: { 'GET /v3/vid/renders': inTurn(page('a'), page('b'), page(null)) },
  })
  let renders = 0
  for await (const { data } of listAll(client, { limit: 1 })) renders += data.length
  expect([renders, server.lines()]).toEqual([
    3,
    ['', '&token=a', '&token=b'].map((rest) => `GET /v3/vid/renders?limit=1${rest}`),
  ])
  const circle = await start({ answers: { 'GET /v3/vid/renders': () => page('a') } })
  const all = async () => {
    for await (const _ of listAll(circle.client)) expect(circle.server.requests.length).toBeLessThan(5)
  }
  expect(await rejection(all())).toMatchObject({ code: 'VID_API_PAGES', fault: 'machine' })
})

test('publications are made, listed and removed', async () => {
  const { client } = await start()
  const publication = await client.publish({ render_id: 'render_1', title: 'Intro', public: true, play: false })
  expect(publication).toMatchObject({ publication_id: 'pub_1', public: true, play: false, title: 'Intro' })
  expect(await client.publications()).toEqual([publication])
  await client.unpublish('pub_1')
  expect(await client.publications()).toEqual([])
})
