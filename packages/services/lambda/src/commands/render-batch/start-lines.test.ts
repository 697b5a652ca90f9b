import { expect, test } from 'vitest'
import { startLines } from './start-lines.ts'

test('after an abort no line is begun, and each has a row that says so', async () => {
  const stop = new AbortController()
  stop.abort(new Error('stopped by SIGINT'))
  const lines = ['a.mp4', 'b.mp4'].map((outputKey, index) => ({
    inputLine: index + 1,
    outputKey,
    variables: {},
  }))
  const done: number[] = []
  const rows = await startLines(lines, {
    siteId: '0'.repeat(64),
    batchId: 'b',
    config: {},
    maxConcurrent: 50,
    signal: stop.signal,
    place: { bucketName: 'videos', stateMachineArn: 'none', region: 'us-east-1' },
    onProgress: (count) => done.push(count),
  })
  expect(done).toEqual([1, 2])
  expect(rows).toMatchObject([
    { inputLine: 1, status: 'failed-to-start', executionArn: null, error: { code: 'VID_CANCELLED' } },
    { inputLine: 2, status: 'failed-to-start', executionArn: null, error: { code: 'VID_CANCELLED' } },
  ])
})
