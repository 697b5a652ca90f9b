import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { contextOf, growingBar, inputOf, openBucket, openFunction, planOnly, putSite } from './fixtures/function.ts'

/** Seconds that calls have left: their time is over while they fetch, open a browser, load the page or capture. */
const SECONDS = [0, 0.01, 0.03, 0.1, 0.3, 0.6, 1, 1.5]

test('a call whose time is over at any moment says so, and nothing of it fails unheard', async () => {
  const unheard: unknown[] = []
  const onUnheard = (reason: unknown) => void unheard.push(reason)
  process.on('unhandledRejection', onUnheard)
  onTestFinished(() => void process.off('unhandledRejection', onUnheard))
  const bucket = await openBucket()
  const { siteId } = await putSite(bucket, { 'index.html': growingBar(600) })
  const { handler } = await openFunction()
  const input = inputOf(siteId, { reuse: false, chunks: { maxParallelChunks: 1 } })
  const { event } = await planOnly(input, handler)
  for (const seconds of SECONDS)
    for (const data of [event, input]) {
      const outcome = await handler(data, contextOf(seconds)).catch(({ name }: Error) => name)
      // A plan may be made in time.
      if (data === event || typeof outcome === 'string') expect(outcome).toBe('VID_LAMBDA_DEADLINE')
    }
  await nextTurn()
  expect(unheard).toEqual([])
})
