import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hasPostgres, startPostgres } from '../lab/postgres.mjs'
import { createCloud } from './create-cloud.ts'
import { clientOf, newAccount, newFolder, sharedDatabase, startCloud } from './fixtures/cloud.ts'
import { postgresDatabase } from './fixtures/postgres.ts'
import { startCloud as startProcess, type Waiting } from './start-cloud.ts'

const queue = { enqueue: async () => {}, wake: () => {} }
const log = { level: 'silent' } as const

test('a server with nothing but a folder keeps everything over a restart, and leaves nothing else', async () => {
  const state = await newFolder()
  const open = async () => {
    const cloud = await startProcess({ api: { state, log, role: 'api' } })
    onTestFinished(() => cloud.close())
    return { cloud, ...(await cloud.listen(0)) }
  }
  const first = await open()
  const { key } = await newAccount(first.cloud.database)
  const before = clientOf(first.url, key)
  const assetId = await before.asset()
  const { json } = await before.submit(assetId, {}, { 'idempotency-key': 'k' })
  await first.cloud.close()
  expect(readdirSync(join(state, 'projects'))).toEqual([])

  const after = clientOf((await open()).url, key)
  expect((await after.submit(assetId, {}, { 'idempotency-key': 'k' })).json).toEqual(json)
  const { render_id: id } = json.data
  expect((await after.get(`/v3/vid/renders/${id}`)).json.data).toMatchObject({
    render_id: id,
    status: 'queued',
  })
  expect((await after.submit(assetId)).status).toBe(202)
})

const startRole = async (role: 'api' | 'worker', databaseUrl?: string) => {
  const cloud = await startProcess({ databaseUrl, api: { state: await newFolder(), log, role } })
  onTestFinished(() => cloud.close())
  return cloud
}

test('a process that only answers makes the first account, whose key works', async () => {
  const cloud = await startRole('api')
  const { url } = await cloud.listen(0)
  const { status, json } = await clientOf(url, cloud.first?.key).get('/v3/users/me')
  expect([status, json.data]).toEqual([200, expect.objectContaining({ user_id: cloud.first?.account.id })])
})

test.runIf(hasPostgres)('of several processes on a Postgres one makes the first account', async () => {
  const databaseUrl = await postgresDatabase()
  expect((await startRole('worker', databaseUrl)).first).toBeUndefined()
  const started = await Promise.all(['api', 'api', 'api'].map(() => startRole('api', databaseUrl)))
  const firstAccounts = started.flatMap(({ first }) => first ?? [])
  expect(firstAccounts).toHaveLength(1)
  for (const { listen } of started) {
    const { url } = await listen(0)
    expect((await clientOf(url, firstAccounts[0]?.key).get('/v3/users/me')).status).toBe(200)
  }
  expect((await startRole('api', databaseUrl)).first).toBeUndefined()
})

test.runIf(hasPostgres)('a process waits for a Postgres that is away, and starts when it is there', async () => {
  const postgres = await startPostgres({ isStarted: false })
  onTestFinished(() => postgres.close())
  const reasons: unknown[] = []
  let wait = () => {}
  const waits = new Promise<void>((resolve) => {
    wait = resolve
  })
  const onWait = (reason: unknown) => {
    reasons.push(reason)
    wait()
  }
  const start = async (waiting?: Waiting) => {
    const cloud = await startProcess({
      waiting,
      databaseUrl: postgres.url,
      api: { state: await newFolder(), log, role: 'api' },
    })
    onTestFinished(() => cloud.close())
    return cloud
  }
  await expect(start()).rejects.toMatchObject({ code: 'VID_CLOUD_DATABASE_AWAY' })
  const stop = new AbortController()
  const stopped = start({ signal: stop.signal, onWait: () => stop.abort(new Error('enough')) })
  await expect(stopped).rejects.toThrow('enough')
  const starting = start({ signal: new AbortController().signal, onWait })
  await waits
  await postgres.start()
  const { url } = await (await starting).listen(0)
  expect((await fetch(`${url}/ready`)).status).toBe(200)
  expect(reasons).toMatchObject([{ code: 'VID_CLOUD_DATABASE_AWAY' }])
})

test('a process that only renders says how it is, and answers nothing of the API', async () => {
  const { get } = await startCloud({ role: 'worker' })
  expect((await get('/health')).status).toBe(200)
  expect((await get('/ready')).status).toBe(200)
  expect((await get('/metrics')).status).toBe(200)
  expect((await get('/v3/vid/renders')).json.error.code).toBe('not_found')
})

test('other rooms add routes, start work with the parts of the server, and are ended before these', async () => {
  const ends: string[] = []
  const { get, cloud } = await startCloud(
    {},
    {
      addRoutes: [
        ({ app }) => {
          app.get('/p/:token', { config: { public: true }, schema: { operationId: 'getPage' } }, async () => 'page')
        },
      ],
      async startWork({ cache, metrics }) {
        const { Gauge } = await import('prom-client')
        const gauge = new Gauge({ name: 'vid_of_worker', help: 'x', registers: [metrics.registry] })
        gauge.set(7)
        return {
          async close() {
            ends.push(readdirSync(cache.incoming).length === 0 ? 'work, with its cache' : 'work')
          },
        }
      },
    },
  )
  expect((await get('/p/x')).status).toBe(200)
  expect((await get('/metrics')).json).toContain('vid_of_worker 7\n')
  await cloud.close()
  expect(ends).toEqual(['work, with its cache'])
})

test('while a process drains, it says that it is not ready, until its work has ended', async () => {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const { get, cloud } = await startCloud({}, { startWork: async () => ({ close: () => ended }) })
  expect((await get('/ready')).status).toBe(200)
  const closed = cloud.close(60_000)
  expect((await get('/ready')).status).toBe(503)
  expect((await get('/health')).status).toBe(200)
  end()
  await closed
  await expect(get('/ready')).rejects.toThrow()
})

test('wrong settings are named, all at once, and what failed to start leaves nothing', async () => {
  const state = await newFolder()
  const database = await sharedDatabase()
  const start = (settings: object, rooms = {}) =>
    createCloud({ state, log, ...settings }, { queue, database, ...rooms })
  await expect(start({ publicUrl: 'ftp://x', partBytes: 1, nonsense: 1 })).rejects.toMatchObject({
    code: 'VID_CLOUD_OPTION',
    message: expect.stringMatching(/(?=.*publicUrl)(?=.*partBytes)(?=.*nonsense)/s),
  })
  const failing = start({}, { startWork: () => Promise.reject(new Error('no browser')) })
  await expect(failing).rejects.toThrow('no browser')
  expect(readdirSync(join(state, 'projects'))).toEqual([])
})
