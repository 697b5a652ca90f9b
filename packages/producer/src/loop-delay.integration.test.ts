import { expect, test } from 'vitest'
import { hostilePages, longestTurnOf } from '../../../scripts/dev/loop-turns.ts'
import { page, sharedProducer } from './fixtures/producer.ts'

/** Each within the limits of a body. */
const HOSTILE = hostilePages(page())

/** The routes that read compositions, with fields that have more of them read. */
const ROUTES = [
  ['/lint', {}],
  ['/render', {}],
  ['/render/stream', {}],
  ['/snapshot', { count: 1 }],
] as const

const CASES = ROUTES.flatMap(([path, fields]) =>
  HOSTILE.map(([what, html]) => ({ path, what, body: { ...fields, html } })),
)

test.each(CASES)(
  '$path of $what leaves the event loop to others',
  async ({ path, body }) => {
    const { post, send } = await sharedProducer()
    const warm = await post(path, { ...body, html: page() })
    expect(warm.status).toBe(200)
    await warm.text()
    const work = (async () => {
      const reply = await post(path, body)
      return { status: reply.status, text: await reply.text() }
    })()
    const health = send('/health')
    expect(await longestTurnOf(work)).toBeLessThan(100)
    expect((await health).status).toBe(200)
    const { status, text } = await work
    if (status !== 200) expect(JSON.parse(text).error.fault).toBe('render')
    expect(text.length).toBeLessThan(2 ** 20)
  },
  600_000,
)
