import { chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../database/database.ts'
import { databaseFolder, openEmbedded } from '../database/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { newFolder } from '../fixtures/database.ts'
import { prepareDatabase } from '../fixtures/database-template.ts'
import { openPrepared } from '../fixtures/prepared-database.ts'
import { serveAdmin } from './admin-socket.ts'
import { openAdmin } from './open-admin.ts'

/** None of these calls examines the server. */
const partsOf = (database: Database) => ({
  database,
  examined: () => Promise.reject(new Error('not asked for')),
})

const startServer = async (state: string) => {
  const database = await openEmbedded(databaseFolder(state))
  await migrate(database)
  const admin = await serveAdmin(partsOf(database), state)
  const close = async () => {
    await admin?.close()
    await database.close()
  }
  return { database, close }
}

test('the same calls work on the folder, through a running server, and on the folder again', async () => {
  const state = await newFolder()
  await prepareDatabase(databaseFolder(state))
  const first = await openAdmin({ state })
  const { account, key: apiKey } = await first.call('accounts.create', { email: 'mia@example.com', weight: 2 })
  const { id } = account
  expect(apiKey).toMatch(/^vid_live_/)
  await first.close()

  const server = await startServer(state)
  const through = await openAdmin({ state })
  expect(await through.call('accounts.list', {})).toEqual([
    expect.objectContaining({ id, email: 'mia@example.com', weight: 2, createdAt: expect.any(String) }),
  ])
  const { key, id: keyId } = await through.call('keys.create', { account: 'mia@example.com', name: 'ci' })
  expect(key).toMatch(/^vid_live_/)
  await through.close()
  await server.close()

  const last = await openAdmin({ state })
  onTestFinished(() => last.close())
  expect(await last.call('keys.list', { account: id })).toMatchObject([{}, { id: keyId, name: 'ci' }])
  expect(await last.call('keys.revoke', { key: keyId })).toMatchObject({ revokedAt: expect.any(String) })
})

test('errors keep their codes through the server, and its socket is for this user alone', async () => {
  const state = await newFolder()
  await chmod(state, 0o755)
  await mkdir(join(state, 'admin'), { mode: 0o755 })
  await prepareDatabase(databaseFolder(state))
  const server = await startServer(state)
  onTestFinished(() => server.close())
  expect((await stat(join(state, 'admin'))).mode & 0o777).toBe(0o700)
  expect((await stat(join(state, 'admin', 'socket'))).mode & 0o777).toBe(0o600)
  const admin = await openAdmin({ state })
  await expect(admin.call('keys.create', { account: 'nobody' })).rejects.toMatchObject({
    code: 'VID_CLOUD_ACCOUNT_MISSING',
    fault: 'caller',
    message: expect.stringContaining('nobody'),
  })
  for (const [name, params] of [
    ['constructor', {}],
    ['keys.create', { account: 7 }],
    ['keys.create', null],
  ] as const)
    await expect(admin.call(name as never, params as never)).rejects.toMatchObject({
      code: 'VID_CLOUD_ADMIN_CALL',
    })
})

test('a folder whose server does not answer is locked', async () => {
  const state = await newFolder()
  const database = await openPrepared(databaseFolder(state))
  onTestFinished(() => database.close())
  await expect(openAdmin({ state }, { startMs: 0 })).rejects.toMatchObject({ code: 'VID_CLOUD_STATE_LOCKED' })
})

test('a command waits for a server that has begun to use the folder', async () => {
  const state = await newFolder()
  const database = await openPrepared(databaseFolder(state))
  onTestFinished(() => database.close())
  const looks: string[] = []
  const opening = openAdmin({ state }).finally(() => void looks.push('opened'))
  // It has found the folder locked, and no server.
  await expect(openAdmin({ state }, { startMs: 0 })).rejects.toMatchObject({ code: 'VID_CLOUD_STATE_LOCKED' })
  expect(looks).toEqual([])
  const server = await serveAdmin(partsOf(database), state)
  onTestFinished(() => server?.close())
  expect(await (await opening).call('accounts.list', {})).toEqual([])
})
