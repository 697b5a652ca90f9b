import { expect, test } from 'vitest'
import { describedReplies, fuzzedRequests, operationsOf } from '../../../../scripts/dev/described-replies.ts'
import { startProducer } from './fixtures/producer.ts'

test('every reply to strangers is described, and none is a failure of the server', async () => {
  const { url } = await startProducer()
  const description = await (await fetch(`${url}/openapi.json`)).json()
  const check = describedReplies(description)
  const problems: string[] = []
  let sent = 0
  for (const operation of operationsOf(description))
    for (const { address, init } of fuzzedRequests(operation)) {
      const problem = await check(operation, await fetch(`${url}${address}`, init))
      if (problem !== undefined)
        problems.push(`${address.slice(0, 80)} ${String(init.body ?? '').slice(0, 80)} ${problem}`)
      sent += 1
    }
  expect(problems).toEqual([])
  expect(sent).toBeGreaterThan(100)
})
