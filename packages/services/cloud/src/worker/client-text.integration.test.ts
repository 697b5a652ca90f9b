import { expect, test } from 'vitest'
import { type Database, databaseError, type Sql, sqlOf } from '../database/database.ts'
import { fail } from '../errors.ts'
import { openWork, page, until } from '../fixtures/work.ts'
import type { Storage } from '../storage/storage.ts'
import { endFailedRenders } from './supervisor.ts'

/** What an operator alone may read. */
const OF_OPERATOR = /ENOSPC|no space|credentials|results\/|segments\/|user_/

const noSpace = (key: string) =>
  fail('VID_CLOUD_STORAGE', { action: 'write', key, reason: 'ENOSPC: no space left on device' })

test('the failure of a render says nothing of the storage of the server', async () => {
  const { parts, submit, work, row, lines } = await openWork()
  // The trial of the worker writes elsewhere.
  const storage: Storage = {
    ...parts.storage,
    async put(...call) {
      if (call[0].startsWith('results/')) throw noSpace(call[0])
      return parts.storage.put(...call)
    },
  }
  const id = await submit()
  // Its last try.
  await parts.database.run(`UPDATE ${parts.queue.schema}.job SET retry_count = retry_limit`)
  await work({ slots: 1, storage })
  const failed = await until(async () => {
    await endFailedRenders(parts)
    const render = await row(id)
    return render.status === 'failed' ? render : undefined
  })
  expect(failed).toMatchObject({
    failure_code: 'VID_CLOUD_GAVE_UP',
    failure_message: expect.stringMatching(/4 times: .*VID_CLOUD_STORAGE.*[^.]\.$/),
  })
  expect(failed.failure_message).not.toMatch(OF_OPERATOR)
  expect(JSON.stringify(lines)).toContain('VID_CLOUD_STORAGE')
})

test('a render ends whose failure has a character that no database stores', async () => {
  const throwing = `<script>setTimeout(() => { throw new Error('a' + String.fromCharCode(0) + 'b') })</script>`
  const { submit, work, end } = await openWork({ 'index.html': page().replace('</body>', `${throwing}</body>`) })
  const id = await submit()
  await work({ slots: 1 })
  expect(await end(id)).toMatchObject({
    status: 'failed',
    failure_code: 'VID_SCRIPT_FAILED',
    failure_message: expect.stringContaining('a\ufffdb'),
  })
})

test('a render ends although what its failure says cannot be recorded', async () => {
  const throwing = `<script>throw new Error('unheard of')</script>`
  const { parts, submit, work, end } = await openWork({ 'index.html': page().replace('</body>', `${throwing}</body>`) })
  const refusing = (sql: Sql): Sql =>
    sqlOf(async (text, values) => {
      if (values.some((value) => String(value).includes('unheard of')))
        throw databaseError(Object.assign(new Error('invalid byte sequence'), { code: '22021' }))
      return sql.run(text, values)
    })
  const database: Database = {
    ...parts.database,
    transaction: (run) => parts.database.transaction((sql) => run(refusing(sql))),
  }
  const id = await submit()
  await work({ slots: 1, database })
  expect(await end(id)).toMatchObject({ status: 'failed', failure_code: 'VID_CLOUD_TEXT_UNFIT' })
})

test('a render whose segments could not be kept has no warning of it; the log of the server has', async () => {
  process.env.VID_CACHE = 'on'
  try {
    const { parts, submit, work, end, lines } = await openWork({ 'index.html': page(8) })
    const storage: Storage = {
      ...parts.storage,
      below(...call) {
        const blobs = parts.storage.below(...call)
        const put = async (key: string) => {
          throw noSpace(`segments/user_1/${key}`)
        }
        return { ...blobs, put }
      },
    }
    const id = await submit()
    await work({ slots: 1, storage, spreadSegments: 0 })
    const { status, warnings } = await end(id)
    expect([status, warnings]).toEqual(['completed', []])
    expect(lines.filter(({ message }) => OF_OPERATOR.test(message))).not.toEqual([])
  } finally {
    process.env.VID_CACHE = 'off'
  }
})
