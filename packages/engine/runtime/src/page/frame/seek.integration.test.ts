import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { composition, type OpenPage, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

/** A picture of the page as it is, made without the page's own frames. */
const takePicture = async ({ page }: OpenPage): Promise<string> => {
  const session = await page.createCDPSession()
  const { screenshotData } = await session.send('HeadlessExperimental.beginFrame', {
    screenshot: { format: 'png' },
  })
  return createHash('sha256')
    .update(screenshotData ?? '')
    .digest('hex')
}

const MOVING = {
  'a canvas that accumulates': `<canvas id="c" width="320" height="180"></canvas><script>const g = c.getContext('2d'); let n = 0
    requestAnimationFrame(function draw() { g.fillStyle = 'hsl(' + (n += 7) + ',80%,50%)'
      g.fillRect(Math.random() * 300, Math.random() * 160, 20, 20); requestAnimationFrame(draw) })</script>`,
  'a timeline with clips': `<div id="box" data-start="0.5" data-duration="2" style="background:teal;width:60px;height:60px"></div>
    <script>__timelines.main = gsap.timeline({ paused: true }).to('#box', { x: 200, rotation: 90, duration: 2 })</script>`,
  'a spinner and a transition': `<style>@keyframes spin{to{rotate:1turn}}#a,#b{position:absolute;width:60px;height:60px;background:coral}
    #a{animation:spin 1.7s infinite}#b{left:0;top:90px;transition:left 1s}#b.on{left:200px}</style><div id="a"></div><div id="b"></div>
    <script>setTimeout(() => b.classList.add('on'), 400)</script>`,
}

it.each(Object.entries(MOVING))('shows the same picture of %s in steps and directly', async (_name, body) => {
  const stepped = await start(composition(body, { gsap: true }))
  const pictures: string[] = []
  for (let frame = 0; frame <= 33; frame++) {
    await stepped.seek(frame)
    if (frame === 12 || frame === 33) pictures.push(await takePicture(stepped))
  }
  const direct = await start(composition(body, { gsap: true }))
  await direct.seek(33)
  expect(await takePicture(direct)).toBe(pictures[1])
  expect(pictures[0]).not.toBe(pictures[1])
})

it('gives a frame of a fractional rate its exact time', async () => {
  const { seek, read } = await start(
    composition(`<script>addEventListener('vid-seek', ({ detail }) => (window.seen = detail.time))</script>`),
    { fps: 30_000, fpsDivisor: 1001 },
  )
  await seek(59)
  expect(await read('seen')).toBe((59 * 1001) / 30_000)
})

it.each([
  [0.5, 1],
  [2, 1],
])('hides only a scale below 1 from scripts: at %d they see the ratio %d of the browser', async (scale, ratio) => {
  const { read } = await start(composition(''), { scale })
  expect(await read('devicePixelRatio')).toBe(ratio)
})
