import { expect, test } from 'vitest'
import { endKey, type FunctionCall, startKey } from '../contract/call-records.ts'
import { startAws } from '../fixtures/aws-endpoint.ts'
import { startBucket } from '../fixtures/bucket.ts'
import { renderLogs } from '../index.ts'

const place = {
  renderId: 'film',
  stateMachineArn: 'arn:aws:states:eu-central-1:123456789012:stateMachine:vid-render',
  bucketName: 'videos',
  logGroupName: 'logs',
}

/** Calls of 30 chunks, of which those of even numbers are done. */
const start = async () => {
  const { objects } = await startBucket()
  const put = (key: string, writtenMs: number) =>
    objects.set(key, { body: Buffer.from(''), type: undefined, writtenMs })
  const end = { outcome: 'done', billedMs: 1, frames: 1, reusedFrames: 0, isCold: false }
  for (let chunk = 0; chunk < 30; chunk += 1) {
    const call: FunctionCall = { renderId: 'film', action: 'segment', chunk, requestId: `id-${chunk}-end` }
    put(startKey(call), 1_000_000 + chunk * 1000)
    if (chunk % 2 === 0) put(endKey(call, end), 2_000_000)
  }
  return startAws({
    DescribeExecution: () => ({ status: 'SUCCEEDED' }),
    FilterLogEvents: ({ filterPattern, nextToken }) => {
      const ids = [...String(filterPattern).matchAll(/\?"([^"]+)"/g)].map(([, id]) => id)
      const half = Math.ceil(ids.length / 2)
      const page = nextToken === undefined ? ids.slice(0, half) : ids.slice(half)
      const events = page.map((id) => ({ timestamp: 1_500_000, message: `${id} INFO hello\n` }))
      return { events, ...(nextToken === undefined && { nextToken: 'more' }) }
    },
  })
}

const read = async (options: object = {}) => {
  const chunks: number[] = []
  for await (const { chunk, message, action } of renderLogs({ ...place, ...options })) {
    chunks.push(chunk)
    expect(message).toBe(`id-${chunk}-end INFO hello`)
    expect(action).toBe('segment')
  }
  return chunks
}

test('the lines of all calls of a render are read, over all pages, with filters that are short enough', async () => {
  const { of } = await start()
  expect(await read()).toEqual(Array.from({ length: 30 }, (_, chunk) => chunk))
  for (const { input } of of('FilterLogEvents')) {
    expect(String(input.filterPattern).length).toBeLessThan(1024)
    expect(input.startTime).toBeLessThanOrEqual(1_000_000 + 20_000 - 60_000)
  }
})

test('only calls that are not done are read when that is asked', async () => {
  await start()
  expect(await read({ failedOnly: true })).toEqual(Array.from({ length: 15 }, (_, index) => index * 2 + 1))
})

test('a render without calls that are known has no logs', async () => {
  await start()
  expect(await read({ renderId: 'other' })).toEqual([])
})
