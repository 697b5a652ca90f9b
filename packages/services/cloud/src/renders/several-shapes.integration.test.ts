import { expect, onTestFinished, test } from 'vitest'
import { clientOf, newAccount, page, startCloud } from '../fixtures/cloud.ts'
import { markRenderFailed } from '../queue/endings.ts'

const composition = page().replace('data-width', 'data-shapes="16:9,9:16,1:1" data-width')
const files = { 'index.html': composition }

interface Output {
  readonly shape: string
  readonly render_id: string
  readonly status: string
}

const outputsOf = (data: { readonly [name: string]: unknown }) => data.outputs as readonly Output[]

test('a render of several shapes has a video of each, in their order, each queued by itself', async () => {
  const { submit, asset, get, queued } = await startCloud()
  const { status, json } = await submit(await asset(files), { shapes: ['9:16', '16:9'], title: 'story' })
  expect(status).toBe(202)
  const { render_id: id } = json.data
  const record = (await get(`/v3/vid/renders/${id}`)).json.data
  const outputs = outputsOf(record)
  expect(record).toMatchObject({ status: 'queued', title: 'story', video_url: null, shape: null, progress: 0 })
  expect(outputs.map(({ shape, status }) => [shape, status])).toEqual([
    ['9:16', 'queued'],
    ['16:9', 'queued'],
  ])
  expect(queued.map((render) => [render.id, render.request.shape])).toEqual(
    outputs.map(({ render_id, shape }) => [render_id, shape]),
  )
  const list = (await get('/v3/vid/renders')).json as never as { readonly data: readonly { render_id: string }[] }
  expect(list.data.map(({ render_id }) => render_id)).toEqual([id])
  const [first] = outputs
  const video = (await get(`/v3/vid/renders/${first?.render_id}`)).json.data
  expect(video).toMatchObject({ shape: '9:16', outputs: null })
})

test('it ends with the last of its videos, as failed if one of them has, and is announced once', async () => {
  const { submit, asset, get, database } = await startCloud()
  const body = { shapes: ['9:16', '1:1'], callback_url: 'https://example.com/', callback_id: 'mine' }
  const { json } = await submit(await asset(files), body)
  const id = json.data.render_id
  const read = async () => (await get(`/v3/vid/renders/${id}`)).json.data
  const [tall, square] = outputsOf(await read())
  const ended: string[] = []
  const end = (renderId = '') =>
    database.transaction((sql) =>
      markRenderFailed(
        sql,
        renderId,
        { code: 'VID_PAGE', message: 'no page' },
        async (_sql, row) => void ended.push(row.id),
      ),
    )
  await end(tall?.render_id)
  expect(await read()).toMatchObject({ status: 'rendering', failure_message: null })
  expect(ended).toEqual([tall?.render_id])
  await end(square?.render_id)
  expect(ended).toEqual([tall?.render_id, square?.render_id, id])
  const failure = { status: 'failed', failure_code: 'VID_PAGE', failure_message: '9:16: no page; 1:1: no page' }
  expect(await read()).toMatchObject({ ...failure, callback_id: 'mine' })
})

test('its videos are deleted together, and nobody else reads or deletes them', async () => {
  const { submit, asset, get, send, database, url, account } = await startCloud()
  const { json } = await submit(await asset(files), { shapes: ['9:16', '1:1'] })
  const id = json.data.render_id
  const [tall] = outputsOf((await get(`/v3/vid/renders/${id}`)).json.data)
  const path = `/v3/vid/renders/${tall?.render_id}`
  const other = clientOf(url, (await newAccount(database)).key)
  expect((await other.get(path)).status).toBe(404)
  expect((await other.send('DELETE', `/v3/vid/renders/${id}`)).status).toBe(404)
  const refusal = await send('DELETE', path)
  expect([refusal.status, refusal.json.error.message]).toEqual([400, expect.stringContaining(`Delete ${id}`)])
  expect((await send('DELETE', `/v3/vid/renders/${id}`)).status).toBe(200)
  expect((await get(path)).status).toBe(404)
  const query = `SELECT 1 FROM vid.renders WHERE account_id = $1 AND status IN ('queued', 'rendering')`
  const open = await database.rows(query, [account.id])
  expect(open).toEqual([])
})

test('each shape counts as an open render, and all are refused together', async () => {
  const { submit, asset, get } = await startCloud({}, {}, { max_open_renders: 3 })
  const id = await asset(files)
  expect((await submit(id, { shapes: ['9:16', '1:1'] })).status).toBe(202)
  const refusal = await submit(id, { shapes: ['9:16', '1:1'] })
  expect([refusal.status, refusal.json.error.code]).toEqual([429, 'rate_limit_exceeded'])
  expect((await submit(id)).status).toBe(202)
  expect((await submit(id)).status).toBe(429)
  const list = (await get('/v3/vid/renders')).json as never as { readonly data: readonly unknown[] }
  expect(list.data).toHaveLength(2)
})

test('a key that is repeated names one render of several shapes', async () => {
  const { submit, asset, queued } = await startCloud()
  const id = await asset(files)
  const headers = { 'idempotency-key': 'same' }
  const replies = [
    await submit(id, { shapes: ['9:16', '1:1'] }, headers),
    await submit(id, { shapes: ['9:16', '1:1'] }, headers),
  ]
  expect(new Set(replies.map(({ json }) => json.data.render_id)).size).toBe(1)
  expect(queued).toHaveLength(2)
})

test.each([
  [{ shapes: Array.from({ length: 30 }, (_, index) => `${index + 1}:1`) }, 'shapes'],
  [{ shapes: ['9:16', '9:16'] }, 'shapes'],
  [{ shapes: [] }, 'shapes'],
  [{ shapes: ['9x16'] }, 'shapes'],
  [{ shapes: '9:16' }, 'shapes'],
  [{ shape: '0:1' }, 'shape'],
  [{ shape: '16:9,9:16' }, 'shape'],
  [{ shape: '9:16', shapes: ['1:1'] }, 'shapes'],
  [{ shape: '9:16', aspect_ratio: '9:16' }, 'aspect_ratio'],
  [{ shape: '4:5' }, 'shape'],
  [{ shapes: ['9:16', '4:5'] }, 'shape'],
  [{ codec: 'vp9' }, 'codec'],
  [{ codec: 'hevc', format: 'webm' }, 'codec'],
  [{ poster: 'soon' }, 'poster'],
  [{ poster: '2s' }, 'poster'],
  [{ poster: '101%' }, 'poster'],
])('%j is refused before anything is queued, by the name of the field', async (fields, param) => {
  const { submit, asset, queued, database, account } = await startCloud()
  onTestFinished(() => expect(queued).toEqual([]))
  const { status, json } = await submit(await asset(files), fields)
  expect([status, json.error?.param]).toEqual([400, param])
  expect(await database.rows('SELECT 1 FROM vid.renders WHERE account_id = $1', [account.id])).toEqual([])
})
