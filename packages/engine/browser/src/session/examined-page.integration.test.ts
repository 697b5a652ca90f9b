import type { RenderPlan } from '@vid/protocol'
import { decodePng } from '@vid/testkit'
import { expect, test } from 'vitest'
import { changePort, frameNumberPage, height, numberIn, openSession, take, width } from '../fixtures/session.ts'

const plan = { width, height, fps: 30, frames: 120, media: [], videoFrameFormat: 'auto' } as unknown as RenderPlan

test.each(['raster', 'begin-frame', 'screenshot'] as const)(
  'a page of lane %s stays on a frame, and what is changed there is in its picture alone',
  async (lane) => {
    const { session } = await openSession(frameNumberPage(), { lane })
    const shown = await session.show?.(7, plan)
    const picture = async () => (await shown?.picture()) ?? new Uint8Array()
    expect(await numberIn({ index: 7, format: 'png', data: await picture() })).toBe(7)
    expect(await shown?.evaluate('document.querySelectorAll("i").length')).toBe(12)
    expect(await shown?.evaluate('document.body.style.visibility = "hidden"')).toBe('hidden')
    const { data } = decodePng(await picture())
    expect([...data.subarray(0, 3)]).not.toEqual([64, 64, 64])
    const [eighth] = await take(session, 8, 1)
    expect(eighth && (await numberIn(eighth))).toBe(8)
    // A frame before the shown one, of a page that nobody has changed.
    const earlier = await session.show?.(3, plan)
    const data3 = (await earlier?.picture()) ?? new Uint8Array()
    expect(await numberIn({ index: 3, format: 'png', data: data3 })).toBe(3)
  },
)

test('a script that never returns ends what examines a page with a coded error', async () => {
  const { session } = await openSession(frameNumberPage(), { livenessMs: 1_000 })
  const shown = await session.show?.(7, plan)
  await expect(shown?.evaluate('for (;;);')).rejects.toMatchObject({
    code: 'VID_PAGE_UNRESPONSIVE',
    message: expect.stringContaining('examining frame 7'),
  })
})

test('one page does for pictures alone, forwards', async () => {
  let pages = 0
  const driver = changePort((port) => {
    pages += 1
    return port
  })
  const { session } = await openSession(frameNumberPage(), { lane: 'auto', picturesOnly: true, driver })
  await session.probe()
  for (const frame of [0, 7, 90]) {
    const shown = await session.show?.(frame, plan)
    const data = (await shown?.picture()) ?? new Uint8Array()
    expect(await numberIn({ index: frame, format: 'png', data })).toBe(frame)
  }
  expect(pages).toBe(1)
})
