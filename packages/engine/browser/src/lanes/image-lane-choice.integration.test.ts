import { expect, test } from 'vitest'
import { openSession, pageOf, take } from '../fixtures/session.ts'

/** A page of four seconds that the raster lane refuses. */
const refused = (text: string) =>
  pageOf(`<canvas width="40" height="30" style="border:3px dashed red"></canvas>${text}`)

test('a page outside of the raster lane is captured in the lane that its probe names', async () => {
  const { session, warnings } = await openSession(refused('measured'))
  const { settings } = await session.probe()
  expect(['begin-frame', 'screenshot']).toContain(settings?.imageLane)
  expect(await take(session, 0, 2)).toHaveLength(2)
  expect(session.lane?.()).toBe(settings?.imageLane)
  expect(warnings).toMatchObject([{ code: 'VID_LANE_FALLBACK' }])
})

test.each(['begin-frame', 'screenshot'] as const)(
  'a plan that names %s is followed without a measurement',
  async (imageLane) => {
    const { session } = await openSession(refused(imageLane), { imageLane })
    expect(await session.probe()).not.toHaveProperty('settings')
    expect(await take(session, 0, 2)).toHaveLength(2)
    expect(session.lane?.()).toBe(imageLane)
  },
)

test('a page in the raster lane has no such setting', async () => {
  const { session } = await openSession(pageOf('plain'))
  expect(await session.probe()).not.toHaveProperty('settings')
})
