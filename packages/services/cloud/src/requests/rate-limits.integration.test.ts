import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Answer, clientOf, newAccount, patient, startCloud } from '../fixtures/cloud.ts'

// A minute of the tests' own, which does not end in the middle of one.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(Math.floor(Date.now() / 60_000) * 60_000 + 10_000) })
})
afterEach(() => {
  vi.useRealTimers()
})

const summary = ({ status, json, headers }: Answer) => [status, json.error?.code, headers.get('retry-after')]
const refusal = [429, 'rate_limit_exceeded', '50']

test('requests of an account beyond its limit are refused until the next minute, and others go on', async () => {
  const { get, url, database } = await startCloud({}, {}, { requests_per_minute: 3 })
  for (let count = 0; count < 3; count += 1) expect((await get('/v3/users/me')).status).toBe(200)
  expect(summary(await get('/v3/users/me'))).toEqual(refusal)
  expect((await clientOf(url, (await newAccount(database)).key).get('/v3/users/me')).status).toBe(200)
  vi.setSystemTime(Date.now() + 50_000)
  expect((await get('/v3/users/me')).status).toBe(200)
})

test('the requests of an account count over all processes', async () => {
  const { get, database, account } = await startCloud({}, {}, { requests_per_minute: 4 })
  const other = clientOf((await startCloud({}, { database })).url, account.key)
  for (let count = 0; count < 4; count += 1) expect((await get('/v3/users/me')).status).toBe(200)
  // The processes tell each other once a second.
  await expect
    .poll(async () => {
      const [row] = await database.rows<{ requests: number }>(
        'SELECT requests FROM vid.request_counts WHERE account_id = $1',
        [account.id],
      )
      return row?.requests
    }, patient)
    .toBe(4)
  await other.get('/v3/users/me')
  await expect
    .poll(async () => summary(await other.get('/v3/users/me')).slice(0, 2), { ...patient, interval: 300 })
    .toEqual(refusal.slice(0, 2))
})

test('requests without a credential are limited by their address, but for the health of the server', async () => {
  const { url } = await startCloud({ publicRequestsPerMinute: 3 })
  const { get } = clientOf(url, undefined)
  expect((await get('/v3/users/me')).status).toBe(401)
  expect((await get('/docs/errors')).status).toBe(200)
  expect((await get('/docs/errors')).status).toBe(200)
  expect(summary(await get('/docs/errors'))).toEqual(refusal)
  expect(summary(await get('/v3/users/me'))).toEqual(refusal)
  expect((await get('/health')).status).toBe(200)
})

test('wrong credentials are limited more strictly, and lock out nobody with a right one', async () => {
  const { url, get } = await startCloud({ wrongCredentialsPerMinute: 2 })
  const wrong = clientOf(url, 'vid_live_wrong')
  for (let count = 0; count < 2; count += 1) expect((await wrong.get('/v3/users/me')).status).toBe(401)
  expect(summary(await wrong.get('/v3/users/me'))).toEqual(refusal)
  expect((await get('/v3/users/me')).status).toBe(200)
})

test('behind a proxy that is trusted, the address is the one that it says', async () => {
  const { url } = await startCloud({ publicRequestsPerMinute: 1, trustedProxies: ['127.0.0.1'] })
  const { send } = clientOf(url, undefined)
  const from = (address: string) => send('GET', '/docs/errors', { headers: { 'x-forwarded-for': address } })
  expect((await from('203.0.113.1')).status).toBe(200)
  expect((await from('203.0.113.2')).status).toBe(200)
  expect((await from('203.0.113.1')).status).toBe(429)
  const other = await startCloud({ publicRequestsPerMinute: 1 })
  const untrusted = clientOf(other.url, undefined)
  const claim = (address: string) => untrusted.send('GET', '/docs/errors', { headers: { 'x-forwarded-for': address } })
  expect([(await claim('203.0.113.1')).status, (await claim('203.0.113.2')).status]).toEqual([200, 429])
})
