import type { CaptureSession } from '@vid/kernel'
import { expect, test } from 'vitest'
import { isFasterByScreenshots, openFastestLane } from './image-lane-choice.ts'

/** A session of a composition of a number of seconds; it counts the frames that were captured. */
const sessionOf = (seconds: number | null, log: string[], name: string): CaptureSession => ({
  probe: async () => ({ duration: seconds, stateful: false }),
  async *frames({ frames }) {
    for (let index = 0; index < frames; index += 1) yield { index, format: 'png', data: new Uint8Array() }
    log.push(`${name} measured`)
  },
  close: async () => {
    log.push(`${name} closed`)
  },
})

test('screenshots are chosen only if they are clearly faster', () => {
  expect(isFasterByScreenshots(40, 30)).toBe(true)
  expect(isFasterByScreenshots(40, 38)).toBe(false)
  expect(isFasterByScreenshots(40, 50)).toBe(false)
})

test('a long composition is measured in both lanes, and one session stays open', async () => {
  const log: string[] = []
  const { session, lane } = await openFastestLane(async (kind) => sessionOf(4, log, kind), 30)
  expect(log).toEqual(['begin-frame measured', 'screenshot measured', expect.stringMatching(/closed/)])
  expect(log).not.toContain(`${lane} closed`)
  await session.close()
  expect(log.at(-1)).toBe(`${lane} closed`)
})

test.each([2, null])('a composition of %s seconds is not measured', async (seconds) => {
  const log: string[] = []
  const { lane } = await openFastestLane(async (kind) => sessionOf(seconds, log, kind), 30)
  expect(lane).toBe('begin-frame')
  expect(log).toEqual([])
})

test('a page that fails while it is measured leaves no session open', async () => {
  const log: string[] = []
  const open = async (kind: string) => {
    if (kind === 'screenshot') throw new Error('no browser')
    return sessionOf(4, log, kind)
  }
  await expect(openFastestLane(open, 30)).rejects.toThrow('no browser')
  expect(log).toEqual(['begin-frame measured', 'begin-frame closed'])
})
