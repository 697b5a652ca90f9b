import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'
import { bothWays } from '../../testing/ways.ts'

const { start } = useBrowser()

const COUNTER = `<script>window.times = []
  const count = () => { times.push(1); requestAnimationFrame(count) }
  requestAnimationFrame(count)</script>`
const TIMED = COUNTER.replace('times.push(1)', 'times.push(Math.round(performance.now()))')

describe('a loop of animation frames', () => {
  it('is one that windows call at another rate, unless the root or the video has a rate of its own', async () => {
    const waitsIn = async (script: string, fps: number, root = 'data-duration="10"') =>
      (await start(composition(script, { root }), { fps })).probe.callsAtOtherRate
    expect(await waitsIn(COUNTER, 30)).toBe(true)
    expect(await waitsIn(COUNTER, 60)).toBe(false)
    expect(await waitsIn(COUNTER, 30, 'data-duration="10" data-refresh-rate="60"')).toBe(false)
    expect(await waitsIn('<script>requestAnimationFrame(() => {})</script>', 60)).toBe(false)
    expect(await waitsIn('', 30)).toBe(false)
  })

  it('runs on the grid of the refresh rate of the root alone, so that it has the same speed at every frame rate', async () => {
    const root = 'data-duration="10" data-refresh-rate="60"'
    const index = async (fps: number, frame: number) => {
      const page = await start(composition(TIMED, { root }), { fps })
      await page.seek(frame)
      return page.read<number[]>('times')
    }
    expect(await index(30, 3)).toEqual([0, 17, 33, 50, 67, 83, 100])
    expect(await index(25, 2)).toEqual([0, 17, 33, 50, 67])
    expect(await index(24, 2)).toEqual([0, 17, 33, 50, 67, 83])
    const counts = await Promise.all([24, 25, 30, 50, 60].map(async (fps) => (await index(fps, fps)).length))
    expect(counts).toEqual([61, 61, 61, 61, 61])
    const counted = composition(COUNTER, { root })
    const { stepped, direct } = await bothWays(start, counted, 30, 'times.length')
    expect([stepped, direct]).toEqual([61, 61])
  })
})
