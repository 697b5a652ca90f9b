import { expect, test } from 'vitest'
import { openSession, pageOf, pixelAt, pixelsOf, take } from '../fixtures/session.ts'

test('a page that draws its elements on hidden canvases is captured in another lane, and does not crash', async () => {
  const page = pageOf(`<div id="scene" style="width:40px;height:20px;background:#844"></div><script>
    const next = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    addEventListener('vid-seek', async () => {
      const canvas = document.createElement('canvas')
      canvas.setAttribute('layoutsubtree', '')
      canvas.style.cssText = 'position:fixed;left:0;top:0;width:40px;height:20px;opacity:0'
      canvas.append(document.getElementById('scene').cloneNode(true))
      document.body.append(canvas)
      await next()
      canvas.remove()
    })</script>`)
  const { session } = await openSession(page, { lane: 'auto' })
  const frames = take(session, 0, 3)
  await expect(frames).resolves.toHaveLength(3)
  expect(session.lane?.()).not.toContain('element')
})

test('a page that draws its elements at load is captured in another lane, and its script has not failed', async () => {
  const page = pageOf(`<canvas id="c" layoutsubtree width="80" height="40" style="position:absolute;left:0;top:0">
    <div id="scene" style="width:80px;height:40px;background:#00f"><b style="position:absolute;left:40px;width:40px;height:40px;background:#0f0;mix-blend-mode:difference"></b></div></canvas>
    <script>
    const draw = () => { c.getContext('2d').reset(); c.getContext('2d').drawElementImage(scene, 0, 0) }
    c.onpaint = draw
    c.requestPaint()
    addEventListener('vid-seek', () => c.requestPaint())</script>`)
  const { session, warnings } = await openSession(page, { lane: 'auto' })
  const frames = await take(session, 0, 3)
  for (const frame of frames) {
    const pixels = await pixelsOf(frame)
    expect([pixelAt(pixels, 20, 20), pixelAt(pixels, 60, 20)]).toEqual([
      [0, 0, 255, 255],
      [0, 255, 255, 255],
    ])
  }
  expect(warnings.map(({ code }) => code)).toEqual(['VID_LANE_FALLBACK'])
})

test('a page that fails before its first frame fails in another lane too, with what its script threw', async () => {
  const page = pageOf(`<canvas layoutsubtree></canvas><script>nowhere.to.be.found()</script>`)
  await expect(openSession(page, { lane: 'auto' })).rejects.toMatchObject({ code: 'VID_SCRIPT_FAILED' })
})
