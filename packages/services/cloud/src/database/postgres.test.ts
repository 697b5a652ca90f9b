import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgres } from './postgres.ts'

/** Replies of Postgres to a client that connects: it is who it says, and may send a statement. */
const WELCOME = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

/** A server that accepts connections, and answers no statement. */
const openSilent = async (welcome: Buffer) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('data', () => socket.write(welcome))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `postgres://vid@127.0.0.1:${(server.address() as AddressInfo).port}/vid`, sockets }
}

test('a process whose connections are all in use says so, and not that the database cannot be reached', async () => {
  const { url, sockets } = await openSilent(WELCOME)
  const database = await openPostgres(url, { connections: 2, connectMs: 3000 })
  const running = [0, 1].map(() => database.run('SELECT 1').catch((thrown: unknown) => thrown))
  await expect.poll(() => sockets.size, { timeout: 60_000 }).toBe(2)
  await expect(database.run('SELECT 1')).rejects.toMatchObject({ code: 'VID_CLOUD_DATABASE_BUSY' })
  await expect(database.transaction((sql) => sql.run('SELECT 1'))).rejects.toMatchObject({
    code: 'VID_CLOUD_DATABASE_BUSY',
    facts: { connections: 2 },
  })
  for (const socket of sockets) socket.destroy()
  for (const ended of await Promise.all(running)) expect(ended).toMatchObject({ code: 'VID_CLOUD_DATABASE_AWAY' })
  await database.close()
})

test('a database that does not answer cannot be reached, however many wait for it', async () => {
  const { url } = await openSilent(Buffer.alloc(0))
  const database = await openPostgres(url, { connections: 2, connectMs: 300 })
  const ends = await Promise.allSettled([0, 1, 2, 3].map(() => database.run('SELECT 1')))
  for (const end of ends) expect(end).toMatchObject({ reason: { code: 'VID_CLOUD_DATABASE_AWAY' } })
  await database.close()
})
