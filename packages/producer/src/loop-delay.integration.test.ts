import { expect, test } from 'vitest'
import { hostilePages, longestTurnOf } from '../../../scripts/dev/loop-turns.ts'
import { page, sharedProducer } from './fixtures/producer.ts'

/** Each within the limits of a body. */
const HOSTILE = hostilePages(page())

test.each(HOSTILE)('linting %s leaves the event loop to others', async (_what, html) => {
  const { post, send } = await sharedProducer()
  expect((await post('/lint', { html: page() })).status).toBe(200)
  const linting = post('/lint', { html })
  const health = send('/health')
  expect(await longestTurnOf(linting)).toBeLessThan(100)
  expect((await health).status).toBe(200)
  const reply = await linting
  const text = await reply.text()
  expect(reply.status === 200 || JSON.parse(text).error.fault === 'render').toBe(true)
  expect(text.length).toBeLessThan(2 ** 20)
})
