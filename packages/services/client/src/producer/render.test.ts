import { expect, test } from 'vitest'
import { accept, complete, hangUp, inTurn, refuse, startScripted, stream } from './fixtures/scripted.ts'

const progress = { type: 'progress', stage: 'render', progress: 0.5, framesRendered: 1, totalFrames: 2 }
const counts = (requestLines: readonly string[], name: string) =>
  requestLines.filter((line) => line.startsWith(name)).length

/** How a promise was rejected. */
const rejection = async (work: Promise<unknown>) => {
  const thrown = await work.then(
    () => ({ code: 'resolved' }),
    (error: unknown) => error,
  )
  return thrown as { code: string; fault: string; message: string; hint: string }
}

test('a render is sent once, followed to its end, and its events are passed on', async () => {
  const { client, requestLines } = await startScripted({
    'POST /render': accept,
    'GET /render': stream([{ type: 'queued', position: 1 }, progress, complete()]),
  })
  const types: string[] = []
  const result = await client.render({ html: '<p>' }, { onEvent: ({ type }) => types.push(type) })
  expect([types, result.frames]).toEqual([['queued', 'progress'], 1])
  expect([requestLines.length, counts(requestLines, 'POST'), counts(requestLines, 'DELETE')]).toEqual([2, 1, 0])
})

test('a stream that is cut is followed again, and the request is not sent again', async () => {
  const { client, requestLines } = await startScripted({
    'POST /render': accept,
    'GET /render': inTurn(stream([progress], 'cut'), hangUp, stream([progress], 'end'), stream([complete()])),
  })
  expect(await client.render({ html: '<p>' })).toMatchObject({ success: true })
  expect([counts(requestLines, 'POST'), counts(requestLines, 'GET')]).toEqual([1, 4])
})

test('a silent stream is given up after the time in which heartbeats come, and followed again', async () => {
  const answers = { 'POST /render': accept, 'GET /render': inTurn(stream([progress], 'stay'), stream([complete()])) }
  const { client, requestLines } = await startScripted(answers, { limits: { idleMs: 300 } })
  expect(await client.render({ html: '<p>' })).toMatchObject({ success: true })
  // On a busy machine, the second one may be silent for as long.
  expect(counts(requestLines, 'GET')).toBeGreaterThan(1)
})

test('a request whose reply was lost is followed when the server knows it', async () => {
  const { client, requestLines } = await startScripted({
    'POST /render': hangUp,
    'GET /render': stream([complete()]),
  })
  expect(await client.render({ html: '<p>' })).toMatchObject({ success: true })
  expect(counts(requestLines, 'POST')).toBe(1)
})

test('a request that the server has forgotten is sent again with its project, a few times at most', async () => {
  let prepared = 0
  const prepare = async () => {
    prepared += 1
  }
  const once = await startScripted({
    'POST /render': accept,
    'GET /render': inTurn(refuse(404, 'VID_PRODUCER_REQUEST_UNKNOWN'), stream([complete()])),
  })
  expect(await once.client.render({ html: '<p>' }, { prepare })).toMatchObject({ success: true })
  expect([counts(once.requestLines, 'POST'), prepared]).toEqual([2, 2])
  const always = await startScripted({ 'POST /render': accept })
  expect(await rejection(always.client.render({ html: '<p>' }))).toMatchObject({
    code: 'VID_PRODUCER_LOST',
    fault: 'machine',
  })
  expect(counts(always.requestLines, 'POST')).toBe(4)
})

test('a server that stops with the request kept is waited for', async () => {
  const stopping = {
    type: 'error',
    error: { code: 'VID_PRODUCER_STOPPING', message: 'stopping', fault: 'machine' },
  }
  const { client, requestLines } = await startScripted({
    'POST /render': accept,
    'GET /render': inTurn(stream([stopping]), refuse(503, 'VID_SERVER_STOPPING'), stream([complete()])),
  })
  expect(await client.render({ html: '<p>' })).toMatchObject({ success: true })
  expect([counts(requestLines, 'POST'), counts(requestLines, 'DELETE')]).toEqual([1, 0])
})

test('a full queue is waited for as long as Retry-After says, and no longer than the limit', async () => {
  const full = (seconds: string) => refuse(429, 'VID_PRODUCER_FULL', { 'retry-after': seconds })
  const soon = await startScripted({
    'POST /render': inTurn(full('0'), full('0'), accept),
    'GET /render': stream([complete()]),
  })
  expect(await soon.client.render({ html: '<p>' })).toMatchObject({ success: true })
  expect(counts(soon.requestLines, 'POST')).toBe(3)
  const late = await startScripted({ 'POST /render': full('86000') })
  expect(await rejection(late.client.render({ html: '<p>' }))).toMatchObject({ code: 'VID_PRODUCER_FULL' })
  expect(late.requestLines).toHaveLength(1)
})

test('an error of the server keeps its code, words and fault, and is not tried again', async () => {
  const error = { code: 'VID_ENTRY_MISSING', message: 'no entry', hint: 'add one', fault: 'caller' }
  const { client, requestLines } = await startScripted({
    'POST /render': accept,
    'GET /render': stream([{ type: 'error', error }]),
  })
  expect(await rejection(client.render({ html: '<p>' }))).toMatchObject(error)
  expect(requestLines).toHaveLength(2)
})

test.each([
  [400, 'caller'],
  [401, 'caller'],
  [500, 'machine'],
])('a refusal with status %i without a fault is one of the %s', async (status, fault) => {
  const { client } = await startScripted({ 'POST /render': refuse(status, 'VID_ANY') })
  expect(await rejection(client.render({ html: '<p>' }))).toMatchObject({ code: 'VID_ANY', fault })
})

test('an abort cancels at the server before it settles, also while the request is being accepted', async () => {
  for (const isAccepting of [false, true]) {
    const stop = new AbortController()
    const { client, requestLines } = await startScripted({
      'POST /render': (request, response) => {
        if (isAccepting) stop.abort()
        accept(request, response)
      },
      'GET /render': stream([progress], 'stay'),
      'DELETE /render': accept,
    })
    const rendering = client.render({ html: '<p>' }, { signal: stop.signal, onEvent: () => stop.abort() })
    expect(await rejection(rendering)).toBe(stop.signal.reason)
    expect(counts(requestLines, 'DELETE'), `accepting: ${isAccepting}`).toBe(1)
  }
})

test('a render that somebody else cancelled is an error of its own', async () => {
  const { client, requestLines } = await startScripted({
    'POST /render': accept,
    'GET /render': stream([{ type: 'cancelled' }]),
  })
  expect(await rejection(client.render({ html: '<p>' }))).toMatchObject({ code: 'VID_PRODUCER_CANCELLED' })
  expect(counts(requestLines, 'DELETE')).toBe(0)
})
