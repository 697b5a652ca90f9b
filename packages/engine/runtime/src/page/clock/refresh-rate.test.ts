import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'
import { bothWays } from '../../testing/ways.ts'

const { start } = useBrowser()

const COUNTER = `<script>window.times = []
  const count = () => { times.push(1); requestAnimationFrame(count) }
  requestAnimationFrame(count)</script>`
const TIMED = COUNTER.replace('times.push(1)', 'times.push(Math.round(performance.now()))')

const notes = `__vidHost.errors().map(({ message, isNote }) => [isNote, message])`

describe('a loop that counts animation frames', () => {
  it('is reported once, unless it asks for the time or has the rate of a browser', async () => {
    const counts = await start(composition(COUNTER))
    await counts.seek(20)
    expect(await counts.read(notes)).toEqual([
      [true, expect.stringMatching(/runs 30 times a second here.*data-refresh-rate="60"/)],
    ])
    const others = [
      [TIMED, 30],
      [COUNTER.replace('() =>', '(timestamp) =>'), 30],
      [COUNTER, 60],
    ] as const
    for (const [script, fps] of others) {
      const page = await start(composition(script), { fps })
      await page.seek(20)
      expect(await page.read(notes)).toEqual([])
    }
  })

  it.each([
    ['a canvas', `canvas.getContext('2d').drawImage(video, 0, 0)`],
    ['WebGL', `gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, video)`],
    ['a bitmap', 'createImageBitmap(video).catch(() => {})'],
  ])('is not one that only draws a video to %s, which follows the time', async (_, draw) => {
    const page = await start(
      composition(`<video id="video" data-start="1"></video><canvas id="canvas"></canvas><script>
        const gl = document.createElement('canvas').getContext('webgl')
        const loop = () => { ${draw}; requestAnimationFrame(loop) }
        requestAnimationFrame(loop)</script>`),
    )
    await page.seek(20)
    expect(await page.read(notes)).toEqual([])
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
    const page = await start(counted)
    await page.seek(10)
    expect(await page.read(notes)).toEqual([])
  })
})
