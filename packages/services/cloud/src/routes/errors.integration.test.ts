import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { cloudErrorCodes } from '@vid/client/contract'
import { projectErrors } from '@vid/project'
import { serverErrors } from '@vid/server'
import { expect, test } from 'vitest'
import { type Database, databaseError } from '../database/database.ts'
import { cloudErrors } from '../errors.ts'
import {
  type Answer,
  clientOf,
  newAccount,
  page,
  patient,
  sharedDatabase,
  startCloud,
  zipOf,
} from '../fixtures/cloud.ts'
import { apiErrors } from './api-errors.ts'

const errorOf = ({ status, json, headers }: Answer) => ({
  status,
  code: json.error?.code,
  param: json.error?.param,
  ...(headers.has('retry-after') && { retryAfter: Number(headers.get('retry-after')) > 0 }),
})

/** A database that fails at statements that match. */
const failingAt = async (pattern: RegExp, thrown: () => unknown): Promise<Database> => {
  const database = await sharedDatabase()
  const check = (statement: string) => {
    if (pattern.test(statement)) throw thrown()
  }
  return {
    ...database,
    async run(statement, values) {
      check(statement)
      return database.run(statement, values)
    },
    async rows(statement, values) {
      check(statement)
      return database.rows(statement, values)
    },
  }
}

/** Sends bytes on a bare connection; resolves to the first reply. */
const sendRaw = async (url: string, request: string): Promise<{ status: number; code: string }> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.end(request)
  const reply = await text(socket)
  const body = reply.slice(reply.indexOf('\r\n\r\n') + 4)
  return { status: Number(reply.slice(9, 12)), code: JSON.parse(body).error.code }
}

test('400 invalid_parameter names the value, and where the codes are explained', async () => {
  const { post, submit, url } = await startCloud()
  const answer = await submit('asset_1', { fps: 500 })
  expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', param: 'fps' })
  expect(answer.json.error.message).toContain(
    'fps must be a whole number from 1 to 240, or a television rate such as 29.97; got 500',
  )
  expect(answer.json.error.doc_url).toBe(`${url}/docs/errors#invalid_parameter`)
  const explained = await clientOf(url, undefined).get('/docs/errors')
  for (const code of cloudErrorCodes) expect(explained.json).toContain(`id="${code}"`)
  for (const body of ['{', '[]', '"text"', '{"project":1}', '{"__proto__":{}}'])
    expect(errorOf(await post('/v3/vid/renders', body))).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
    })
})

test('400 vid_project_invalid and vid_project_too_large', async () => {
  const { upload, submit, asset } = await startCloud({ unpackedFiles: 3 }, {}, { max_upload_bytes: 2000 })
  const invalid = { status: 400, code: 'vid_project_invalid' }
  expect(errorOf(await upload(Buffer.from('no zip')))).toEqual({ ...invalid, param: null })
  expect(errorOf(await submit(await asset(), { variables: { colour: 1 } }))).toEqual({
    ...invalid,
    param: 'variables.colour',
  })
  const large = { status: 400, code: 'vid_project_too_large', param: null }
  expect(errorOf(await upload(Buffer.alloc(100_000)))).toEqual(large)
  expect(errorOf(await upload(Buffer.alloc(3000)))).toEqual(large)
  const files = Object.fromEntries(Array.from({ length: 4 }, (_, index) => [`${index}.txt`, '']))
  expect(errorOf(await upload(await zipOf({ 'index.html': page(), ...files })))).toEqual(large)
})

test('400 invalid_parameter for any number of unknown keys, and for the wrong values beside them', async () => {
  const { post } = await startCloud()
  for (const count of [1, 7, 8, 9, 100]) {
    const unknown = Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 1]))
    const upload = await post('/v3/assets/uploads', JSON.stringify({ ...unknown, size_bytes: -1e15 }))
    expect(errorOf(upload)).toMatchObject({ status: 400, code: 'invalid_parameter' })
    expect(upload.json.error.message).toMatch(/size_bytes must be/)
    const render = { project: { type: 'asset_id', asset_id: 'asset_1', ...unknown }, fps: 5000, title: 7 }
    const { status, json } = await post('/v3/vid/renders', JSON.stringify({ ...render, ...unknown }))
    expect(status).toBe(400)
    for (const text of ['project must not have', 'fps must be', 'title must be'])
      expect(json.error.message).toContain(text)
  }
})

test('an error names no credential of an address that the request carries', async () => {
  const { post } = await startCloud()
  const url = 'https://user:hunter2@host.example/project.zip?token=hunter2'
  const body = { project: { type: 'url', url }, composition: url }
  const { json } = await post('/v3/vid/renders', JSON.stringify(body))
  expect(json.error.message).toContain('host.example')
  expect(JSON.stringify(json)).not.toContain('hunter2')
})

test('401 unauthorized: without a credential, with a wrong or revoked one, and for a disabled account', async () => {
  const { url, database } = await startCloud()
  const unauthorized = { status: 401, code: 'unauthorized', param: null }
  expect(errorOf(await clientOf(url, undefined).get('/v3/users/me'))).toEqual(unauthorized)
  expect(errorOf(await clientOf(url, 'vid_live_wrong').get('/v3/users/me'))).toEqual(unauthorized)
  const revoked = await newAccount(database)
  const disabled = await newAccount(database)
  await database.run('UPDATE vid.api_keys SET revoked_at = now() WHERE account_id = $1', [revoked.id])
  await database.run('UPDATE vid.accounts SET disabled_at = now() WHERE id = $1', [disabled.id])
  for (const { key } of [revoked, disabled])
    expect(errorOf(await clientOf(url, key).get('/v3/users/me'))).toEqual(unauthorized)
  const { key } = await newAccount(database)
  const bearer = await fetch(`${url}/v3/users/me`, { headers: { authorization: `Bearer ${key}` } })
  expect(bearer.status).toBe(200)
})

test('403 forbidden: a file whose address was changed, pages of other origins, a used-up quota', async () => {
  const { send, submit, asset, database, account } = await startCloud({}, {}, { max_billed_seconds: 60 })
  const forbidden = { status: 403, code: 'forbidden', param: null }
  expect(errorOf(await send('GET', '/v3/files/assets/a.zip?expires=9999999999&signature=x'))).toEqual(forbidden)
  const headers = { origin: 'https://elsewhere.example' }
  expect(errorOf(await send('GET', '/v3/users/me', { headers }))).toEqual(forbidden)
  const assetId = await asset()
  await database.run(
    'INSERT INTO vid.usage (render_id, account_id, rendered_seconds, billed_seconds) VALUES ($1, $2, 40, 60)',
    [`render_${account.id}`, account.id],
  )
  const answer = await submit(assetId)
  expect(errorOf(answer)).toEqual(forbidden)
  expect(answer.json.error.message).toMatch(/has used 60 of its 60 billed seconds\. The next period begins 2/)
})

test('404 not_found, asset_not_found, vid_render_not_found', async () => {
  const { get, send, submit } = await startCloud()
  expect(errorOf(await get('/v3/nothing'))).toEqual({ status: 404, code: 'not_found', param: null })
  expect(errorOf(await get('/v3/assets/uploads/upload_1'))).toMatchObject({ code: 'not_found' })
  expect(errorOf(await get('/v3/assets/uploads/a%00b'))).toMatchObject({ code: 'not_found' })
  for (const id of ['pub_unknown', 'x'])
    expect(errorOf(await send('DELETE', `/v3/vid/publications/${id}`))).toMatchObject({
      status: 404,
      code: 'not_found',
    })
  expect(errorOf(await submit('asset_unknown'))).toEqual({
    status: 404,
    code: 'asset_not_found',
    param: 'project.asset_id',
  })
  const missing = { status: 404, code: 'vid_render_not_found', param: null }
  for (const id of ['render_unknown', 'x', '', 'x'.repeat(200), 'a%00b', '%F0%9F%98%80']) {
    expect(errorOf(await get(`/v3/vid/renders/${id}`))).toEqual(missing)
    expect(errorOf(await send('DELETE', `/v3/vid/renders/${id}`))).toEqual(missing)
  }
})

test('409 idempotency_conflict and request_in_progress', async () => {
  const { submit, asset, database, account } = await startCloud()
  const assetId = await asset()
  const key = { 'idempotency-key': 'k' }
  expect((await submit(assetId, {}, key)).status).toBe(202)
  expect(errorOf(await submit(assetId, { fps: 24 }, key))).toEqual({
    status: 409,
    code: 'idempotency_conflict',
    param: null,
  })
  await database.run(
    `INSERT INTO vid.idempotency (account_id, route, key, lock_id, locked_until)
     VALUES ($1, 'POST /v3/vid/renders', 'held', 'other', now() + interval '1 minute')`,
    [account.id],
  )
  expect(errorOf(await submit(assetId, {}, { 'idempotency-key': 'held' }))).toEqual({
    status: 409,
    code: 'request_in_progress',
    param: null,
    retryAfter: true,
  })
})

test('429 rate_limit_exceeded for open renders, with Retry-After', async () => {
  const { submit, asset } = await startCloud({}, {}, { max_open_renders: 1 })
  const assetId = await asset()
  expect((await submit(assetId)).status).toBe(202)
  expect(errorOf(await submit(assetId))).toEqual({
    status: 429,
    code: 'rate_limit_exceeded',
    param: null,
    retryAfter: true,
  })
})

test('500 internal_error says nothing of the server', async () => {
  const database = await failingAt(/FROM vid\.usage/, () => new Error('column "secret" at /srv/vid'))
  const { get, lines } = await startCloud({}, { database })
  const answer = await get('/v3/users/me')
  expect(errorOf(answer)).toEqual({ status: 500, code: 'internal_error', param: null })
  expect(JSON.stringify(answer.json)).not.toMatch(/secret|srv/)
  expect(lines.join('')).toContain('column \\"secret\\"')
})

test('503 unavailable while the database is away, and while the server stops', async () => {
  const connectionError = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' })
  const away = () => databaseError(connectionError)
  let isAway = false
  const database = await failingAt(/./s, () => away())
  const working = await sharedDatabase()
  const switched: Database = {
    ...working,
    run: (...args) => (isAway ? database.run(...args) : working.run(...args)),
    rows: (...args) => (isAway ? database.rows(...args) : working.rows(...args)),
  }
  const { get } = await startCloud({}, { database: switched })
  expect((await get('/ready')).json).toEqual({ status: 'ok' })
  isAway = true
  const answer = await get('/v3/users/me')
  expect(errorOf(answer)).toEqual({ status: 503, code: 'unavailable', param: null, retryAfter: true })
  expect(JSON.stringify(answer.json)).not.toContain('10.0.0.7')
  await expect.poll(async () => (await get('/ready')).status, patient).toBe(503)
  expect((await get('/health')).json).toEqual({ status: 'ok' })
  isAway = false
  await expect.poll(async () => (await get('/ready')).status, patient).toBe(200)
})

test('what HTTP itself refuses has the same envelope', async () => {
  const { url, send, account } = await startCloud({ bodyBytes: 2000, partBytes: 1024 })
  const post = (body: string, type: string, path = '/v3/vid/renders') =>
    send('POST', path, { headers: { 'content-type': type }, body })
  expect(errorOf(await send('PATCH', '/v3/vid/renders'))).toMatchObject({
    status: 405,
    code: 'invalid_parameter',
  })
  expect(errorOf(await post('x', 'text/plain'))).toMatchObject({ status: 415, code: 'invalid_parameter' })
  expect(errorOf(await post('x', 'application/zip', '/v3/assets'))).toMatchObject({ status: 415 })
  expect(errorOf(await post(' '.repeat(3000), 'application/json'))).toMatchObject({
    status: 413,
    code: 'invalid_parameter',
  })
  const head = `Host: 127.0.0.1\r\nx-api-key: ${account.key}\r\nconnection: close`
  const raw = (line: string, headers = head) => sendRaw(url, `${line} HTTP/1.1\r\n${headers}\r\n\r\n`)
  expect(await raw('GET /v3/users/me', `${head}\r\nexpect: tea`)).toEqual({
    status: 417,
    code: 'invalid_parameter',
  })
  expect(await raw('GET /v3/users/me', head.replace('127.0.0.1', 'elsewhere.example'))).toEqual({
    status: 421,
    code: 'forbidden',
  })
  expect(await raw('GET /%', head)).toEqual({ status: 400, code: 'invalid_parameter' })
  expect(await raw('GET /', `${head}\r\nx-long: ${'x'.repeat(20_000)}`)).toEqual({
    status: 431,
    code: 'invalid_parameter',
  })
  expect(await sendRaw(url, 'no http\r\n\r\n')).toEqual({ status: 400, code: 'invalid_parameter' })
})

test('each code in the table is a code of ours, and each code of the API is in it', () => {
  const errors = { ...cloudErrors, ...serverErrors, ...projectErrors }
  expect([...apiErrors.keys()].filter((code) => !(code in errors))).toEqual([])
  const codes = new Set([...apiErrors.values()].map(({ code }) => code))
  expect(cloudErrorCodes.filter((code) => !codes.has(code))).toEqual([])
})

test('no address with NUL in it is a fault of the server, whatever the route', async () => {
  const { send, get } = await startCloud()
  const { paths } = (await get('/openapi.json')).json as unknown as { paths: Record<string, Record<string, unknown>> }
  const withIds = Object.entries(paths).filter(([path]) => path.includes('{'))
  expect(withIds.length).toBeGreaterThan(5)
  for (const [path, methods] of withIds)
    for (const method of Object.keys(methods).filter((name) => name !== 'head')) {
      const { status } = await send(method.toUpperCase(), path.replaceAll(/\{[^}]*\}/g, 'a%00b'))
      expect([method, path, status >= 400 && status < 500]).toEqual([method, path, true])
    }
})

test('a part number is written in one way', async () => {
  const { send, post } = await startCloud()
  const { json } = await post('/v3/assets/uploads', { size_bytes: 10, sha256: 'a'.repeat(64) })
  for (const number of ['1e0', '0x1', '01', '1.0', '+1', '%201', '-0']) {
    const headers = { 'content-type': 'application/octet-stream' }
    const answer = await send('PUT', `/v3/assets/uploads/${json.data.upload_id}/parts/${number}`, {
      headers,
      body: 'x',
    })
    expect([number, answer.status]).toEqual([number, 400])
  }
})
