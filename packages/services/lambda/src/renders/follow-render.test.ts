import { defineErrors } from '@vid/protocol'
import { expect, test } from 'vitest'
import { followRender } from './follow-render.ts'

const fail = defineErrors({
  VID_AWAY: (_: object) => ({ message: 'away', hint: 'wait', fault: 'machine' }),
  VID_DENIED: (_: object) => ({ message: 'denied', hint: 'ask', fault: 'machine', final: true }),
})

/** Answers of AWS one after another: states, and errors that are thrown. */
const scripted = (answers: readonly (string | Error)[]) => {
  const left = [...answers]
  const look = async () => {
    const next = left.shift() ?? 'RUNNING'
    if (typeof next !== 'string') throw next
    return { status: next }
  }
  return { look, left }
}
const { signal } = new AbortController()
const quick = { signal, pollMs: 1 }

test('a render is looked at until it has ended, and each look is passed on', async () => {
  const { look, left } = scripted(['RUNNING', 'RUNNING', 'FAILED', 'RUNNING'])
  const statuses: string[] = []
  const end = await followRender(look, { ...quick, onProgress: ({ status }) => statuses.push(status) })
  expect([end.status, statuses, left]).toEqual(['FAILED', ['RUNNING', 'RUNNING', 'FAILED'], ['RUNNING']])
})

test('a render that has ended is told without any options', async () => {
  expect((await followRender(scripted(['SUCCEEDED']).look)).status).toBe('SUCCEEDED')
})

test('a network that is away for a while is reported and waited for, one that stays away is an error', async () => {
  const away = fail('VID_AWAY', {})
  const troubles: unknown[] = []
  const onTrouble = (error: unknown) => troubles.push(error)
  const { look } = scripted(['RUNNING', away, 'SUCCEEDED'])
  expect((await followRender(look, { ...quick, onTrouble })).status).toBe('SUCCEEDED')
  expect(troubles).toEqual([away])
  const script = scripted([away])
  await expect(followRender(script.look, { ...quick, awayMs: 10, onTrouble })).rejects.toBe(away)
  expect(troubles).toEqual([away])
})

test('an error that stays is thrown at once', async () => {
  const denied = fail('VID_DENIED', {})
  const { look, left } = scripted(['RUNNING', denied, 'SUCCEEDED'])
  await expect(followRender(look, quick)).rejects.toBe(denied)
  expect(left).toEqual(['SUCCEEDED'])
})

test('an abort ends the wait, whatever it waits for', async () => {
  for (const answer of ['RUNNING', fail('VID_AWAY', {})]) {
    const stop = new AbortController()
    const { look } = scripted([answer])
    const reason = new Error('enough')
    const wait = followRender(look, {
      signal: stop.signal,
      pollMs: 60_000,
      onProgress: () => stop.abort(reason),
      onTrouble: () => stop.abort(reason),
    })
    await expect(wait).rejects.toBe(reason)
  }
})
