import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fail } from '../errors.ts'
import { type Answer, clientOf, newAccount, newFolder, page, startCloud, zipOf } from '../fixtures/cloud.ts'

type Cloud = Awaited<ReturnType<typeof startCloud>>

/** Ends a render as a worker does. */
const complete = async ({ cloud, database }: Cloud, id: string): Promise<void> => {
  const file = join(await newFolder(), 'video')
  await writeFile(file, 'the video')
  for (const name of ['video.mp4', 'thumbnail.jpg']) await cloud.storage.put(`results/${id}/${name}`, file)
  await database.run(
    `UPDATE vid.renders SET status = 'completed', video_key = $2, thumbnail_key = $3, video_bytes = 9,
       video_sha256 = $4, duration = 0.1, frames_rendered = 3, total_frames = 3, progress = 0.9,
       started_at = now(), completed_at = now()
     WHERE id = $1`,
    [id, `results/${id}/video.mp4`, `results/${id}/thumbnail.jpg`, 'a'.repeat(64)],
  )
}

test('a submission is queued with every default, and its record says so', async () => {
  const { submit, asset, get, queued, account } = await startCloud()
  const { status, json } = await submit(await asset(), { title: 'first', callback_id: 'c', fps: 24 })
  expect([status, json]).toEqual([
    202,
    { data: { render_id: expect.stringMatching(/^render_\w{22}$/), status: 'queued' } },
  ])
  const { render_id: id } = json.data
  expect(queued).toMatchObject([
    {
      id,
      accountId: account.id,
      size: { width: 32, height: 32 },
      duration: 0.1,
      request: { fps: 24, quality: 'standard', format: 'mp4', strict_variables: true, variables: {} },
    },
  ])
  expect((await get(`/v3/vid/renders/${id}`)).json.data).toEqual({
    render_id: id,
    status: 'queued',
    title: 'first',
    callback_id: 'c',
    video_url: null,
    playlist_url: null,
    thumbnail_url: null,
    duration: null,
    fps: 24,
    quality: 'standard',
    format: 'mp4',
    resolution: '1080p',
    codec: null,
    shape: null,
    outputs: null,
    poster_url: null,
    aspect_ratio: null,
    composition: 'index.html',
    created_at: expect.any(String),
    started_at: null,
    completed_at: null,
    failure_code: null,
    failure_message: null,
    progress: 0,
    frames_rendered: 0,
    total_frames: 0,
    size_bytes: null,
    sha256: null,
    warnings: [],
  })
})

test('a completed render has addresses that are signed anew each time, and work without a credential', async () => {
  const started = await startCloud()
  const { json } = await started.submit(await started.asset())
  const { render_id: id } = json.data
  await complete(started, id)
  const record = (await started.get(`/v3/vid/renders/${id}`)).json.data
  expect(record).toMatchObject({ status: 'completed', progress: 1, duration: 0.1, size_bytes: 9 })
  const video = await fetch(record.video_url)
  expect(await video.text()).toBe('the video')
  expect(video.headers.get('content-type')).toBe('video/mp4')
  expect(video.headers.get('content-disposition')).toBe(`attachment; filename="${id}.mp4"`)
  expect((await fetch(record.thumbnail_url)).headers.get('content-type')).toBe('image/jpeg')
  const later = await fetch(record.video_url, { headers: { range: 'bytes=4-' } })
  expect([later.status, await later.text()]).toEqual([206, 'video'])
})

test.each([
  ['4k with alpha', { resolution: '4k', format: 'webm' }, 'invalid_parameter', 'resolution'],
  ['a ladder of one file', { ladder: '720' }, 'invalid_parameter', 'ladder'],
  ['a ladder above the picture', { format: 'hls', ladder: '1440,720' }, 'invalid_parameter', 'ladder'],
  ['a callback without TLS', { callback_url: 'http://example.com/' }, 'invalid_parameter', 'callback_url'],
  ['a callback with a password', { callback_url: 'https://a:b@example.com/' }, 'invalid_parameter', 'callback_url'],
  ['no address', { callback_url: 'example' }, 'invalid_parameter', 'callback_url'],
  ['a path that leaves', { composition: '../index.html' }, 'invalid_parameter', 'composition'],
  ['a hidden path', { composition: '.git/index.html' }, 'invalid_parameter', 'composition'],
  ['an absolute path', { composition: '/etc/passwd' }, 'invalid_parameter', 'composition'],
  ['a NUL character', { title: 'a\0b' }, 'invalid_parameter', 'title'],
  ['half a character', { variables: { title: '\ud83d' } }, 'invalid_parameter', 'variables.title'],
  ['another field', { colour: 'red' }, 'invalid_parameter', 'colour'],
  ['a missing entry file', { composition: 'other.html' }, 'vid_project_invalid', 'composition'],
  ['no HTML', { composition: 'notes.txt' }, 'vid_project_invalid', 'composition'],
  ['no composition', { composition: 'plain.html' }, 'vid_project_invalid', 'project'],
  ['an undeclared variable', { variables: { colour: 'red' } }, 'vid_project_invalid', 'variables.colour'],
  ['a wrong type', { variables: { title: 1 } }, 'vid_project_invalid', 'variables.title'],
])('%s is refused with its code and field', async (_name, fields, code, param) => {
  const { submit, asset, queued, state } = await startCloud()
  const files = { 'index.html': page(), 'notes.txt': 'text', 'plain.html': '<p>text</p>' }
  const { status, json } = await submit(await asset(files), fields)
  expect([status, json.error?.code, json.error?.param]).toEqual([400, code, param])
  expect(json.error.message).not.toContain(state)
  expect(queued).toEqual([])
})

test('variables that do not fit are warnings where they are not strict', async () => {
  const { submit, asset, get } = await startCloud()
  const fields = { variables: { colour: 'red', title: 1 }, strict_variables: false }
  const { status, json } = await submit(await asset(), fields)
  expect(status).toBe(202)
  const { data } = (await get(`/v3/vid/renders/${json.data.render_id}`)).json
  expect(data.warnings.map(({ code }) => code)).toEqual(['VID_VARIABLE_UNDECLARED', 'VID_VARIABLE_TYPE_MISMATCH'])
})

test('a picture that cannot be made of the composition is refused with what can be', async () => {
  const checkPicture = ({ width, height }: { width: number; height: number }) => {
    throw fail('VID_CLOUD_PARAMETER', { field: 'size', problem: `of ${width}x${height} does not fit` })
  }
  const { submit, asset } = await startCloud({}, { checkPicture })
  const assetId = await asset()
  const { status, json } = await submit(assetId)
  expect([status, json.error.code, json.error.param]).toEqual([400, 'vid_project_invalid', 'resolution'])
  expect(json.error.message).toContain('32x32 does not fit')
  expect((await submit(assetId, { aspect_ratio: '1:1' })).json.error.param).toBe('aspect_ratio')
})

test('a job that cannot be queued leaves no render', async () => {
  const cloud = await startCloud({}, { queue: { enqueue: () => Promise.reject(new Error('no')) } })
  expect((await cloud.submit(await cloud.asset())).status).toBe(500)
  expect((await cloud.get('/v3/vid/renders')).json.data).toEqual([])
})

test('a list is told in pages, the latest first, of one account only', async () => {
  const { submit, asset, get, url, database } = await startCloud()
  const assetId = await asset()
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) ids.unshift((await submit(assetId)).json.data.render_id)
  const other = clientOf(url, (await newAccount(database)).key)
  await other.submit(await other.asset())
  const pages: string[][] = []
  let token: string | null = ''
  do {
    const { json }: Answer = await get(`/v3/vid/renders?limit=2${token && `&token=${token}`}`)
    const renders = json.data as never as readonly { readonly render_id: string }[]
    pages.push(renders.map(({ render_id }) => render_id))
    expect(json.has_more).toBe(json.next_token !== null)
    token = json.next_token
    // It names what the client has seen, and nothing that grows with the renders of others.
    if (token !== null) expect(Buffer.from(token, 'base64url').toString()).toBe(`after ${pages.at(-1)?.at(-1)}`)
  } while (token)
  expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
  expect((await get('/v3/vid/renders')).json.data).toHaveLength(5)
  const [foreign] = (await other.get('/v3/vid/renders')).json.data as never as { render_id: string }[]
  const foreignToken = Buffer.from(`after ${foreign?.render_id}`).toString('base64url')
  for (const query of [
    `token=${foreignToken}`,
    'token=x',
    'token=YmVmb3JlIC0x',
    'limit=0',
    'limit=101',
    'limit=two',
    'token=',
  ])
    expect([query, (await get(`/v3/vid/renders?${query}`)).json.error?.code]).toEqual([query, 'invalid_parameter'])
})

test('ids of other accounts answer 404: renders, and assets', async () => {
  const { submit, asset, url, database, get } = await startCloud()
  const assetId = await asset()
  const { render_id: id } = (await submit(assetId)).json.data
  const other = clientOf(url, (await newAccount(database)).key)
  expect((await other.get(`/v3/vid/renders/${id}`)).status).toBe(404)
  expect((await other.send('DELETE', `/v3/vid/renders/${id}`)).status).toBe(404)
  expect((await other.submit(assetId)).json.error.code).toBe('asset_not_found')
  expect((await get(`/v3/vid/renders/${id}`)).status).toBe(200)
})

test('a deleted render is gone for its owner; one that waits or runs is cancelled, one that has ended is left so', async () => {
  const started = await startCloud()
  const { submit, asset, get, send, database } = started
  const assetId = await asset()
  const submitted = async () => (await submit(assetId)).json.data.render_id as string
  const waiting = await submitted()
  const running = await submitted()
  const done = await submitted()
  await database.run(`UPDATE vid.renders SET status = 'rendering' WHERE id = $1`, [running])
  await complete(started, done)
  for (const id of [waiting, running, done]) {
    const { status, json } = await send('DELETE', `/v3/vid/renders/${id}`)
    expect([status, json]).toEqual([200, { data: { render_id: id, deleted: true } }])
    expect((await get(`/v3/vid/renders/${id}`)).json.error.code).toBe('vid_render_not_found')
    expect((await send('DELETE', `/v3/vid/renders/${id}`)).status).toBe(404)
  }
  expect((await get('/v3/vid/renders')).json.data).toEqual([])
  const rows = await database.rows(
    'SELECT id, status, failure_code FROM vid.renders WHERE id = ANY($1) ORDER BY sequence',
    [[waiting, running, done]],
  )
  expect(rows).toEqual([
    { id: waiting, status: 'failed', failure_code: 'cancelled' },
    { id: running, status: 'failed', failure_code: 'cancelled' },
    { id: done, status: 'completed', failure_code: null },
  ])
})

/** A server that answers with one reply, here on the loopback. */
const serve = async (status: number, body: Uint8Array, headers = {}) => {
  const server = createServer((_request, response) => response.writeHead(status, headers).end(body))
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/project.zip?secret=1`
}

test('a project by address is fetched when it is submitted, and becomes an asset of the account', async () => {
  const { post, queued, database, account } = await startCloud({ allowPrivateAddresses: true })
  const url = await serve(200, await zipOf({ 'index.html': page() }))
  const { status } = await post('/v3/vid/renders', { project: { type: 'url', url } })
  expect([status, queued.length]).toEqual([202, 1])
  const rows = await database.rows('SELECT source_url FROM vid.assets WHERE account_id = $1', [account.id])
  expect(rows).toEqual([{ source_url: url.replace('?secret=1', '') }])
})

test('a project at an address that answers with something else is refused', async () => {
  const { post } = await startCloud({ allowPrivateAddresses: true }, {}, { max_upload_bytes: 2000 })
  const submit = async (url: string) => {
    const { status, json } = await post('/v3/vid/renders', { project: { type: 'url', url } })
    return [status, json.error.code, json.error.param]
  }
  const invalid = [400, 'vid_project_invalid', 'project.url']
  expect(await submit(await serve(404, Buffer.from('')))).toEqual(invalid)
  expect(await submit(await serve(302, Buffer.from(''), { location: '/again' }))).toEqual(invalid)
  expect(await submit(await serve(200, Buffer.from('no zip')))).toEqual([400, 'vid_project_invalid', null])
  expect(await submit(await serve(200, Buffer.alloc(5000)))).toEqual([400, 'vid_project_too_large', null])
  expect(await submit('http://127.0.0.1:9/')).toEqual(invalid)
  expect(await submit('nonsense')).toEqual(invalid)
})

test('private addresses and addresses without TLS are never fetched for strangers', async () => {
  let requests = 0
  const { post } = await startCloud()
  const server = createServer((_request, response) => {
    requests += 1
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const addresses = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '127.1', '2130706433', '[::ffff:127.0.0.1]']
  for (const host of addresses)
    for (const scheme of ['https', 'http']) {
      const url = `${scheme}://${host}:${port}/`
      const { status, json } = await post('/v3/vid/renders', { project: { type: 'url', url } })
      expect([url, status, json.error.code]).toEqual([url, 400, 'vid_project_invalid'])
      expect(json.error.message).toMatch(scheme === 'https' ? / has no public address/ : /is not https/)
    }
  expect(requests).toBe(0)
})
