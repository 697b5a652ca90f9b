import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { openPostgres } from '../database/postgres.ts'
import { startCloud } from '../fixtures/cloud.ts'
import { canHavePostgres, postgresDatabase } from '../fixtures/postgres.ts'

const openMigrated = async (): Promise<Database> => {
  const database = await openPostgres(await postgresDatabase())
  await migrate(database)
  return database
}

const closeLater = (database: Database): Database => {
  onTestFinished(() => database.close())
  return database
}

test.runIf(canHavePostgres)(
  'a submission does not wait for another one of its account that is being stored',
  async () => {
    const database = closeLater(await openMigrated())
    let enter = () => {}
    let leave = () => {}
    const entered = new Promise<void>((resolve) => {
      enter = resolve
    })
    const left = new Promise<void>((resolve) => {
      leave = resolve
    })
    let calls = 0
    const queue = {
      async enqueue() {
        calls += 1
        if (calls > 1) return
        enter()
        await left
      },
    }
    const { asset, submit } = await startCloud({}, { database, queue })
    const assetId = await asset()
    const slow = submit(assetId)
    await entered
    expect((await submit(assetId, { title: 'another' })).status).toBe(202)
    leave()
    expect((await slow).status).toBe(202)
  },
)

test.runIf(canHavePostgres)(
  'of submissions at once, an account gets as many accepted as it may have open',
  async () => {
    const database = closeLater(await openMigrated())
    const { asset, submit, get } = await startCloud({}, { database }, { max_open_renders: 5 })
    const assetId = await asset()
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        submit(assetId, { title: `${index}` }, { 'idempotency-key': `${index}` }),
      ),
    )
    const accepted = replies.filter(({ status }) => status === 202)
    expect(accepted).toHaveLength(5)
    for (const { status } of replies) expect([202, 429]).toContain(status)
    expect((await get('/v3/vid/renders')).json.data).toHaveLength(5)
    // A refusal is forgotten: the same key works when there is room.
    await database.run(`UPDATE vid.renders SET status = 'completed'`)
    const refused = replies.findIndex(({ status }) => status === 429)
    expect((await submit(assetId, { title: `${refused}` }, { 'idempotency-key': `${refused}` })).status).toBe(202)
  },
)
