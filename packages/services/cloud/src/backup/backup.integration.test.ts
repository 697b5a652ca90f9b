import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { atFileEnd } from '../../../../../scripts/dev/file-end.ts'
import { startS3 } from '../../../s3/src/fixtures/s3-server.ts'
import { makeBucket, realServer } from '../../../s3/src/fixtures/servers.ts'
import { openAdmin } from '../admin/open-admin.ts'
import type { Database } from '../database/database.ts'
import { databaseFolder, openEmbedded } from '../database/embedded.ts'
import { openPostgres } from '../database/postgres.ts'
import { clientOf, newFolder, page, patient } from '../fixtures/cloud.ts'
import { prepareDatabase } from '../fixtures/database-template.ts'
import { createDatabase, realPostgres } from '../fixtures/postgres.ts'
import { hostLabelOf } from '../publish/play-address.ts'
import { startCloud } from '../start-cloud.ts'
import { streamPrefix } from '../streams/stream-key.ts'
import { showWhole } from '../streams/stream-records.ts'
import { restoreBackup } from './restore-backup.ts'

const log = { level: 'silent' } as const
const { signal } = new AbortController()

/** Everything of a server in one folder, which renders. */
const open = async (state: string, options: { databaseUrl?: string | undefined; storage?: string } = {}) => {
  const { databaseUrl, storage } = options
  const cloud = await startCloud({
    databaseUrl,
    api: { state, storage, log, cwd: state },
    rendering: { maxConcurrentRenders: 1, env: process.env },
  })
  onTestFinished(() => cloud.close())
  return { cloud, ...(await cloud.listen(0)) }
}

const ended = (client: ReturnType<typeof clientOf>, id: string) =>
  vi.waitFor(async () => {
    const { json } = await client.get(`/v3/vid/renders/${id}`)
    expect(json.data.status).toBe('completed')
    return json.data
  }, patient)

/** The document of a composition on its own origin. */
const played = (url: string, pageUrl: string) =>
  new Promise<string>((resolve, reject) => {
    const { port } = new URL(url)
    const host = `${hostLabelOf(new URL(pageUrl).pathname.split('/').at(-1) ?? '')}.localhost:${port}`
    request({ port, path: '/index.html', headers: { host, 'sec-fetch-dest': 'iframe' } }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      reply.on('end', () => resolve(text))
    })
      .on('error', reject)
      .end()
  })

/** A server with a render, a page that plays it, a render that waits and one that was deleted. */
const fill = async (state: string) => {
  await prepareDatabase(databaseFolder(state), { hasQueue: true })
  const { cloud, url } = await open(state)
  const key = cloud.first?.key ?? ''
  const client = clientOf(url, key)
  const asset = await client.asset({ 'index.html': page('from the backup') })
  const { json } = await client.submit(asset, { resolution: '1080p', title: 'kept', quality: 'draft' })
  const { render_id: id } = json.data
  const { video_url: video } = await ended(client, id)
  const bytes = Buffer.from(await (await fetch(video)).arrayBuffer())
  const part = join(await newFolder(), 'part')
  await writeFile(part, 'a part of a video')
  const files = ['1080p-00000.m4s']
  await cloud.storage.put(`${streamPrefix({ renderId: id, attempt: 0 })}${files[0]}`, part)
  await showWhole(cloud.database, { renderId: id, attempt: 0 }, { segments: 1, playlists: {}, files })
  const published = (await client.post('/v3/vid/publications', { render_id: id })).json.data
  return { cloud, url, key, client, asset, id, bytes, page: published.url }
}

const tablesOf = async (database: Database) => {
  const names = [
    'accounts',
    'api_keys',
    'assets',
    'renders',
    'publications',
    'usage',
    'settings',
    'idempotency',
    'streams',
  ]
  const rows = names.map((name) => database.rows(`SELECT to_jsonb(t)::text AS row FROM vid.${name} AS t ORDER BY 1`))
  return Promise.all(rows)
}

/** A bucket, on a real server where there is one. */
const openBucket = async () => {
  const { endpoint, accessKeyId, secretAccessKey } = realServer ?? (await startS3()).options
  vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretAccessKey)
  onTestFinished(() => void vi.unstubAllEnvs())
  const bucket = realServer ? await makeBucket(realServer) : 'videos'
  return (path: string) => `s3://${bucket}/${path}?endpoint=${endpoint}`
}

/** A Postgres and a bucket of the test's own; the database is embedded where no real Postgres is named. */
const openElsewhere = async () => {
  const addressOf = await openBucket()
  const places = { storage: addressOf('live'), backup: addressOf('backups/monday') }
  if (!realPostgres) return { ...places, databaseUrl: undefined }
  const { url, drop } = await createDatabase(realPostgres)
  onTestFinished(drop)
  return { ...places, databaseUrl: url }
}

/** Backs up a server while it runs, closes it and removes it. */
const makeBackup = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-cloud-backup-'))
  atFileEnd(() => rm(folder, { recursive: true, force: true }))
  const state = await newFolder()
  const { cloud, ...first } = await fill(state)
  const backup = join(folder, 'backup')
  const admin = await openAdmin({ state })
  const facts = await admin.call('backup', { to: backup })
  await expect(admin.call('backup', { to: backup })).rejects.toMatchObject({ code: 'VID_CLOUD_BACKUP_PLACE' })
  await admin.close()
  const tables = await tablesOf(cloud.database)
  await cloud.close()
  await rm(state, { recursive: true })
  return { ...first, backup, facts, tables }
}
let making: ReturnType<typeof makeBackup> | undefined

/** Returns the backup of this file: making it takes a server that renders. */
const sharedBackup = () => {
  making ??= makeBackup()
  return making
}

test('a server that runs is backed up, and restored elsewhere renders its assets and plays its pages', async () => {
  const first = await sharedBackup()
  const { backup } = first
  expect(first.facts).toMatchObject({ missing: [], files: 4 })

  const elsewhere = await openElsewhere()
  const target = { ...elsewhere, state: await newFolder(), cwd: '/', signal }
  expect(await restoreBackup(backup, target)).toMatchObject({ files: 4 })
  await expect(restoreBackup(backup, target)).rejects.toMatchObject({ code: 'VID_CLOUD_RESTORE_PLACE' })
  const database = await (elsewhere.databaseUrl
    ? openPostgres(elsewhere.databaseUrl)
    : openEmbedded(databaseFolder(target.state)))
  expect(await tablesOf(database)).toEqual(first.tables)
  await database.close()

  const { cloud, url } = await open(target.state, elsewhere)
  expect(cloud.first).toBeUndefined()
  const client = clientOf(url, first.key)
  const { video_url: video } = await ended(client, first.id)
  expect(Buffer.from(await (await fetch(video)).arrayBuffer())).toEqual(first.bytes)
  const { json } = await client.submit(first.asset, { title: 'again', quality: 'draft' })
  await ended(client, json.data.render_id)
  const reply = await fetch(`${url}${new URL(first.page).pathname}`)
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('<vid-player')])
  expect(await played(url, first.page)).toContain('from the backup')

  // And back into one folder, from a bucket.
  const again = await openAdmin({ ...elsewhere, state: target.state })
  expect(await again.call('backup', { to: elsewhere.backup })).toMatchObject({ missing: [], files: 6 })
  await again.close()
  const last = { state: await newFolder(), cwd: '/', signal }
  expect(await restoreBackup(elsewhere.backup, last)).toMatchObject({ files: 6 })
}, 500_000)

test('a backup that is not whole or was changed is refused, and nothing is restored', async () => {
  const backup = join(await newFolder(), 'backup')
  await cp((await sharedBackup()).backup, backup, { recursive: true })
  const place = { state: await newFolder(), cwd: '/', signal }
  const [asset = ''] = (await readdir(join(backup, 'files/assets'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const content = await readFile(asset)
  await writeFile(asset, Buffer.alloc(content.length))
  await expect(restoreBackup(backup, place)).rejects.toMatchObject({
    code: 'VID_CLOUD_BACKUP_INVALID',
    message: expect.stringContaining('has changed'),
  })
  await rm(join(backup, 'backup.json'))
  await expect(restoreBackup(backup, place)).rejects.toMatchObject({ code: 'VID_CLOUD_BACKUP_INVALID' })
  const database = await openEmbedded(databaseFolder(place.state))
  onTestFinished(() => database.close())
  expect(await database.rows('SELECT 1 FROM vid.accounts')).toEqual([])
}, 300_000)
