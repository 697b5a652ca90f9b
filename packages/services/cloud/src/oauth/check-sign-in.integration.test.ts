import { expect, test } from 'vitest'
import { createAccount } from '../accounts/accounts.ts'
import { countAttempt } from '../accounts/attempts.ts'
import { emptyDatabase } from '../fixtures/database.ts'
import { checkSignIn } from './check-sign-in.ts'

const MIA = { email: 'mia@example.com', password: 'correct horse battery' }
const { signal } = new AbortController()

test('wrong guesses from elsewhere lock nobody out: the right password waits for a moment, and is let in', async () => {
  const database = await emptyDatabase()
  const { id } = await createAccount(database, MIA)
  const guess = (address: string) => countAttempt(database, { email: MIA.email, address })
  for (let count = 0; count < 10; count += 1) expect(await guess('192.0.2.1')).toBe(0)
  expect(await guess('192.0.2.1')).toBeUndefined()
  const client = { address: '192.0.2.1', signal }
  expect(await checkSignIn(database, MIA, client)).toEqual({ problem: 'too many' })
  const startMs = performance.now()
  expect(await checkSignIn(database, MIA, { address: '192.0.2.2', signal })).toEqual({ accountId: id })
  expect(performance.now() - startMs).toBeGreaterThan(95)
  // The person is let in again, the address of the guesses still has had its attempts.
  expect(await guess('192.0.2.3')).toBe(0)
  expect(await guess('192.0.2.1')).toBeUndefined()
})

test('guesses from many addresses wait longer and longer, and end with their connection', async () => {
  const database = await emptyDatabase()
  const attempt = (index: number) => countAttempt(database, { email: 'x@y', address: `192.0.2.${index}` })
  const waits = []
  for (let index = 0; index < 130; index += 1) waits.push(await attempt(index))
  expect([waits[9], waits[10], waits[50], waits[129]]).toEqual([0, 100, 4100, 10_000])
  const ended = AbortSignal.abort(new Error('gone'))
  const wrong = { email: 'x@y', password: 'x' }
  await expect(checkSignIn(database, wrong, { address: '192.0.2.200', signal: ended })).rejects.toThrow()
})

test('an address with NUL is that of nobody', async () => {
  const database = await emptyDatabase()
  const attempt = { ...MIA, email: `${MIA.email}\0` }
  expect(await checkSignIn(database, attempt, { address: '192.0.2.9', signal })).toEqual({ problem: 'wrong' })
})
