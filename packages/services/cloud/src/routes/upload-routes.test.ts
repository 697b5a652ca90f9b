import { expect, test } from 'vitest'
import { clientOf, newAccount, page, sha256, startCloud, zipOf } from '../fixtures/cloud.ts'

const PART = 1024
const bytesType = { 'content-type': 'application/octet-stream' }

/** A zip of a few parts: it holds text that cannot be compressed. */
const largeZip = () =>
  zipOf({ 'index.html': page(), 'noise.png': Array.from({ length: 5000 }, (_, n) => (n * n) % 97).join() })

const partsOf = (zip: Buffer) =>
  Array.from({ length: Math.ceil(zip.length / PART) }, (_, n) => zip.subarray(n * PART, (n + 1) * PART))

const start = async (options = {}, limits = {}) => {
  const cloud = await startCloud({ partBytes: PART, ...options }, {}, limits)
  const begin = (zip: Uint8Array, hash = sha256(zip)) =>
    cloud.post('/v3/assets/uploads', { size_bytes: zip.length, sha256: hash })
  const put = (id: string, number: number, body: Uint8Array, send = cloud.send) =>
    send('PUT', `/v3/assets/uploads/${id}/parts/${number}`, {
      headers: bytesType,
      body: new Uint8Array(body),
    })
  const complete = (id: string) => cloud.send('POST', `/v3/assets/uploads/${id}/complete`)
  return { ...cloud, begin, put, complete }
}

test('parts arrive in any order, twice, at two processes, and become one asset, once', async () => {
  const { begin, put, complete, get, upload, state, database, account } = await start()
  const other = await startCloud({ partBytes: PART, storage: `${state}/files` }, { database })
  const elsewhere = clientOf(other.url, account.key)
  const zip = await largeZip()
  const parts = partsOf(zip)
  expect(parts.length).toBeGreaterThan(3)
  const beginning = await begin(zip)
  expect(beginning.json.data).toEqual({
    upload_id: expect.stringMatching(/^upload_\w{22}$/),
    size_bytes: zip.length,
    part_bytes: PART,
    parts: [],
    expires_at: expect.any(String),
  })
  const id = beginning.json.data.upload_id
  const numbers = parts.map((_, number) => number).reverse()
  for (const number of [...numbers, 1])
    await put(id, number, parts[number] as Buffer, number % 2 ? elsewhere.send : undefined)
  expect((await get(`/v3/assets/uploads/${id}`)).json.data.parts).toEqual([...numbers].reverse())
  const [first, second] = await Promise.all([complete(id), elsewhere.send('POST', `/v3/assets/uploads/${id}/complete`)])
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.json.data.asset_id).toBe(first.json.data.asset_id)
  expect((await complete(id)).json.data.asset_id).toBe(first.json.data.asset_id)
  expect((await upload(zip)).json.data.asset_id).toBe(first.json.data.asset_id)
  const keys = []
  for await (const object of other.cloud.storage.list('uploads/')) keys.push(object.key)
  expect(keys).toEqual([])
})

test('missing parts, parts of another length and other bytes are refused, and can be sent again', async () => {
  const { begin, put, complete } = await start()
  const zip = await largeZip()
  const parts = partsOf(zip)
  const { upload_id: id } = (await begin(zip)).json.data
  const wrong = (answer: { status: number; json: { error: { param: string; message: string } } }) => [
    answer.status,
    answer.json.error.param,
    answer.json.error.message,
  ]
  expect(wrong(await put(id, 0, zip.subarray(0, 10)))).toEqual([
    400,
    'body',
    expect.stringContaining(`has 10 bytes; part 0 of this upload has ${PART}`),
  ])
  expect(wrong(await put(id, parts.length, zip.subarray(0, 10)))).toEqual([
    400,
    'number',
    expect.stringContaining('is beyond the last part'),
  ])
  expect((await put(id, 0, zip.subarray(0, PART + 1))).status).toBe(413)
  for (const [number, part] of parts.entries()) await put(id, number, number === 1 ? Buffer.alloc(PART) : part)
  expect(wrong(await complete(id))).toEqual([400, 'sha256', expect.stringContaining('is ')])
  await put(id, 1, parts[1] as Buffer)
  expect((await complete(id)).status).toBe(200)

  const { upload_id: next } = (await begin(zip)).json.data
  await put(next, 0, parts[0] as Buffer)
  expect(wrong(await complete(next))).toEqual([400, 'upload_id', expect.stringContaining('lacks the parts 1, 2')])
})

test('an upload that is begun again with its key is found as it is, so that it goes on', async () => {
  const { post, put, database, account } = await start()
  const zip = await largeZip()
  const body = { size_bytes: zip.length, sha256: sha256(zip) }
  const headers = { 'idempotency-key': 'k' }
  const first = await post('/v3/assets/uploads', body, headers)
  await put(first.json.data.upload_id, 1, partsOf(zip)[1] as Buffer)
  const again = await post('/v3/assets/uploads', body, headers)
  expect(again.json.data).toEqual({ ...first.json.data, parts: [1] })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const other = await post('/v3/assets/uploads', { ...body, size_bytes: 1 }, headers)
  expect(other.json.error.code).toBe('idempotency_conflict')
  const rows = await database.rows('SELECT id FROM vid.uploads WHERE account_id = $1', [account.id])
  expect(rows).toHaveLength(1)
})

test('uploads of other accounts and expired ones are not found', async () => {
  const { begin, put, get, complete, url, database } = await start()
  const zip = await largeZip()
  const { upload_id: id } = (await begin(zip)).json.data
  const other = clientOf(url, (await newAccount(database)).key)
  const answers = async () => [
    (await get(`/v3/assets/uploads/${id}`)).status,
    (await put(id, 0, zip.subarray(0, PART))).status,
    (await complete(id)).status,
  ]
  expect((await other.get(`/v3/assets/uploads/${id}`)).status).toBe(404)
  expect((await put(id, 0, zip.subarray(0, PART), other.send)).status).toBe(404)
  expect((await other.send('POST', `/v3/assets/uploads/${id}/complete`)).status).toBe(404)
  expect(await answers()).toEqual([200, 200, 400])
  await database.run(`UPDATE vid.uploads SET expires_at = now() WHERE id = $1`, [id])
  expect(await answers()).toEqual([404, 404, 404])
})

test('an upload larger than the account may send is refused before it begins, and so are too many at once', async () => {
  const { post } = await start({}, { max_upload_bytes: 3000 })
  const begin = (bytes: number) =>
    post('/v3/assets/uploads', { size_bytes: bytes, sha256: '0'.repeat(64) }).then(({ status, json, headers }) => [
      status,
      json.error?.code,
      headers.has('retry-after'),
    ])
  expect(await begin(3001)).toEqual([400, 'vid_project_too_large', false])
  for (let count = 0; count < 4; count += 1) expect(await begin(3000)).toEqual([200, undefined, false])
  expect(await begin(3000)).toEqual([429, 'rate_limit_exceeded', true])
  expect(await begin(0)).toEqual([400, 'invalid_parameter', false])
})

test.each(['application/json', 'multipart/form-data; boundary=x'])(
  'a part that is sent as %s is refused',
  async (type) => {
    const { post, send } = await startCloud()
    const { json } = await post('/v3/assets/uploads', { size_bytes: 2, sha256: '0'.repeat(64) })
    const path = `/v3/assets/uploads/${json.data.upload_id}/parts/0`
    const answer = await send('PUT', path, { headers: { 'content-type': type }, body: '{}' })
    expect([answer.status, answer.json.error.code]).toEqual([415, 'invalid_parameter'])
  },
)
