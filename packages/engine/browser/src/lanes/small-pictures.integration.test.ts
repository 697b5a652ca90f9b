import { expect, test } from 'vitest'
import { changingPage, psnrOf, takeBoth } from '../fixtures/pictures.ts'
import { openSession, pageOf, take } from '../fixtures/session.ts'

const moving = `<style>
    @keyframes rise { from { transform: translateY(80px); opacity: .2 } to { transform: rotate(90deg) } }
    .sun { width: 90px; height: 90px; border-radius: 50px; background: linear-gradient(red, blue) }
    .sun { animation: rise 2s linear }
  </style><div class="sun"></div>`

const SCALE = 0.4
const FRAMES = 24

test('pictures below half the size are those of the browser that draws on command, and equal each time', async () => {
  const pictures = async (lane: 'begin-frame' | 'screenshot') => {
    const { session } = await openSession(pageOf(moving), { lane, scale: SCALE })
    const frames = await take(session, 0, FRAMES)
    return frames.map(({ data }) => Buffer.from(data).toString('base64'))
  }
  const commanded = await pictures('begin-frame')
  expect(new Set(commanded).size).toBe(FRAMES)
  expect(await pictures('screenshot')).toEqual(commanded)
  expect(await pictures('screenshot')).toEqual(commanded)
})

test('a page that leaves the raster lane below half the size gets those pictures from then on', async () => {
  const page = changingPage(
    `${moving}<b style="position:absolute;left:60px;width:60px;height:60px;background:red"></b>`,
    `if (frame >= 5) document.querySelector('b').style.cssText += 'backdrop-filter:blur(1px);mix-blend-mode:multiply;rotate:' + frame + 'deg'`,
  )
  const { raster, screenshots, warnings } = await takeBoth(page, 12, 'auto', { scale: SCALE })
  expect(warnings).toMatchObject([{ code: 'VID_LANE_FALLBACK' }])
  expect(raster.map(({ format }) => format)).toEqual(Array(12).fill('rgba'))
  const similar = await Promise.all(raster.map((frame, index) => psnrOf(frame, screenshots[index])))
  expect(similar.slice(0, 5)).not.toContain(Infinity)
  expect(similar.slice(5)).toEqual(Array(7).fill(Infinity))
})
