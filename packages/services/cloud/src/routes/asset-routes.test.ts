import { readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientOf, newAccount, page, patient, sha256, startCloud, zipOf } from '../fixtures/cloud.ts'

const zip = () => zipOf({ 'index.html': page(), 'a/b.txt': 'text' })

test('a zip becomes an asset, whose address gives the same files again', async () => {
  const { upload, database, account } = await startCloud()
  const { status, json } = await upload(await zip())
  expect(status).toBe(200)
  expect(json.data).toEqual({
    asset_id: expect.stringMatching(/^asset_[A-Za-z0-9]{22}$/),
    url: expect.stringContaining('/v3/files/assets/'),
    mime_type: 'application/zip',
    size_bytes: expect.any(Number),
  })
  const fetched = await fetch(json.data.url)
  const bytes = Buffer.from(await fetched.arrayBuffer())
  expect(bytes.length).toBe(json.data.size_bytes)
  expect(sha256(bytes)).toBe(sha256(await zip()))
  const rows = await database.rows('SELECT * FROM vid.assets WHERE account_id = $1', [account.id])
  expect(rows).toMatchObject([{ id: json.data.asset_id, files: 2, size_bytes: bytes.length }])
})

test('the same files are kept once for an account, and apart from those of others', async () => {
  const { upload, url, database } = await startCloud()
  const first = await upload(await zip())
  const second = await upload(await zip())
  expect(second.json.data.asset_id).toBe(first.json.data.asset_id)
  const other = clientOf(url, (await newAccount(database)).key)
  expect((await other.upload(await zip())).json.data.asset_id).not.toBe(first.json.data.asset_id)
})

test('a form without the part, with another part, or with two of them is refused', async () => {
  const { send, upload } = await startCloud()
  const wrong = { status: 400, json: { error: { code: 'invalid_parameter', param: 'file' } } }
  expect(await upload(await zip(), {}, 'zip')).toMatchObject(wrong)
  const empty = new FormData()
  empty.set('title', 'x')
  expect(await send('POST', '/v3/assets', { body: empty })).toMatchObject(wrong)
  const two = new FormData()
  for (const name of ['a.zip', 'b.zip']) two.append('file', new Blob([new Uint8Array(await zip())]), name)
  expect(await send('POST', '/v3/assets', { body: two })).toMatchObject(wrong)
  const none = { body: '--x--\r\n', headers: { 'content-type': 'multipart/form-data; boundary=x' } }
  expect(await send('POST', '/v3/assets', none)).toMatchObject({ status: 400 })
})

test('an upload that breaks off leaves nothing, and its key can be used again', async () => {
  const { url, account, state, database, upload } = await startCloud()
  const [work] = readdirSync(join(state, 'projects'))
  const incoming = join(state, 'projects', work ?? '', 'incoming')
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const head = ['POST /v3/assets HTTP/1.1', 'host: 127.0.0.1', `x-api-key: ${account.key}`, 'idempotency-key: cut']
  const type = 'content-type: multipart/form-data; boundary=x'
  const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
  socket.write(`${[...head, type, 'content-length: 100000'].join('\r\n')}\r\n\r\n${part}${'z'.repeat(500)}`)
  await expect.poll(() => readdirSync(incoming).length, patient).toBe(1)
  socket.destroy()
  await expect.poll(() => readdirSync(incoming), patient).toEqual([])
  const keys = () => database.rows('SELECT key FROM vid.idempotency WHERE account_id = $1', [account.id])
  await expect.poll(keys, patient).toEqual([])
  expect((await upload(await zip(), { 'idempotency-key': 'cut' })).status).toBe(200)
})

test('what all clients send together has a limit', async () => {
  const { upload } = await startCloud({ heldUploadBytes: 1024 })
  const { status, json, headers } = await upload(Buffer.alloc(3000, 'x'))
  expect([status, json.error.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '30'])
  const unpacked = await upload(await zipOf({ 'index.html': page() + ' '.repeat(50_000) }))
  expect([unpacked.status, unpacked.json.error.code]).toEqual([503, 'unavailable'])
  expect((await upload(await zipOf({ 'index.html': '<p>' }))).status).toBe(200)
})

test('the projects of an account together have a limit, which those that it has already do not meet', async () => {
  const { upload, database, account } = await startCloud({}, {}, { max_stored_bytes: 600 })
  expect((await upload(await zip())).status).toBe(200)
  const { status, json } = await upload(await zipOf({ 'index.html': page('another') }))
  expect([status, json.error?.code, json.error?.message]).toEqual([
    403,
    'forbidden',
    expect.stringContaining('exceed 600 bytes in total'),
  ])
  expect((await upload(await zip())).status).toBe(200)
  const rows = await database.rows('SELECT id FROM vid.assets WHERE account_id = $1', [account.id])
  expect(rows).toHaveLength(1)
})

test('a zip whose object was lost is kept again when it is sent again', async () => {
  const { upload, submit, state } = await startCloud({ projectCacheBytes: 0 })
  const assetId = (await upload(await zip())).json.data.asset_id
  rmSync(join(state, 'files', 'assets'), { recursive: true })
  const reply = await submit(assetId)
  expect([reply.status, reply.json.error.code]).toEqual([404, 'asset_not_found'])
  expect((await upload(await zip())).json.data.asset_id).toBe(assetId)
  expect((await submit(assetId)).status).toBe(202)
})
