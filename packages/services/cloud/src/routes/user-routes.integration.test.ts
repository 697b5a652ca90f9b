import { expect, test } from 'vitest'
import { startCloud } from '../fixtures/cloud.ts'

test('an account is told who it is, what it has used this month, and what it may', async () => {
  const limits = {
    max_open_renders: 7,
    max_billed_seconds: 100,
    requests_per_minute: 500,
    max_upload_bytes: 5000,
  }
  const { get, database, account } = await startCloud({ uploadBytes: 4000 }, {}, limits)
  const insert = (id: string, when: string, seconds: number, billed: number) =>
    database.run(
      `INSERT INTO vid.usage (render_id, account_id, ended_at, rendered_seconds, billed_seconds)
       VALUES ($1, $2, ${when}, $3, $4)`,
      [`${account.id}${id}`, account.id, seconds, billed],
    )
  const monthStart = `date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`
  await insert('a', 'now()', 10, 15)
  await insert('b', monthStart, 2, 2)
  await insert('c', `${monthStart} - interval '1 second'`, 1000, 1000)
  const { json } = await get('/v3/users/me')
  const start = new Date(new Date().toISOString().slice(0, 7))
  const end = new Date(start)
  end.setUTCMonth(end.getUTCMonth() + 1)
  expect(json.data).toEqual({
    user_id: account.id,
    email: `${account.id}@example.com`,
    name: 'Somebody',
    credential: 'api_key',
    billing: {
      period_start: start.toISOString(),
      period_end: end.toISOString(),
      rendered_seconds: 12,
      billed_seconds: 17,
      limit_seconds: 100,
    },
    limits: { open_renders: 7, upload_bytes: 4000, requests_per_minute: 500 },
  })
})
