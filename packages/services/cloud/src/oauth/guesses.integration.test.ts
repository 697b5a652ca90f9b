import { Agent, fetch as fetchBy } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { createJar, MIA, newLogin, postForm, startOAuth } from '../fixtures/oauth.ts'

const ADDRESSES = 120

/** A browser on a machine of its own, which is another address of this one. */
const browserAt = (localAddress: string) => {
  const dispatcher = new Agent({ localAddress })
  onTestFinished(() => dispatcher.close())
  return createJar(((address: string, init: object) => fetchBy(address, { ...init, dispatcher })) as never)
}

/** Tries to sign in; resolves to the status and the time that the reply took, in milliseconds. */
const trySignIn = async (url: string, localAddress: string, password: string) => {
  const jar = browserAt(localAddress)
  const interaction = new URL((await jar.fetch(newLogin(url).address)).headers.get('location') ?? '', url).href
  const startMs = performance.now()
  const { status } = await postForm(`${interaction}/sign-in`, { email: MIA.email, password }, jar.fetch)
  return { status, ms: performance.now() - startMs }
}

// Only Linux has all addresses that begin with 127.
test.skipIf(process.platform !== 'linux')(
  'guesses from 120 addresses wait, and lock nobody out',
  async () => {
    const { url, database } = await startOAuth()
    const guesses = Promise.all(
      Array.from({ length: ADDRESSES }, (_, index) => trySignIn(url, `127.0.1.${index + 1}`, `guess ${index}`)),
    )
    const counted = async () =>
      (await database.rows<{ count: number }>('SELECT max(count) AS count FROM vid.sign_in_attempts'))[0]?.count
    await expect.poll(counted, { timeout: 120_000 }).toBe(ADDRESSES)
    const owner = await trySignIn(url, '127.0.2.1', MIA.password)
    expect(owner.status).toBe(303)
    const replies = await guesses
    expect(replies.filter(({ status }) => status !== 401)).toEqual([])
    // After ten free guesses, each waits a tenth of a second longer than the one before, and none longer than ten seconds.
    const waits = replies.map(({ ms }) => ms).sort((one, other) => one - other)
    const early = waits.filter((ms, index) => ms < Math.min(10_000, Math.max(0, index - 9) * 100) - 5)
    expect(early).toEqual([])
    // One address is worth no more than ten guesses.
    for (let count = 1; count < 10; count += 1) await trySignIn(url, '127.0.1.1', 'another guess')
    expect(await trySignIn(url, '127.0.1.1', MIA.password)).toMatchObject({ status: 429 })
  },
  180_000,
)
