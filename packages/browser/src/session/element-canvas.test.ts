import { expect, test } from 'vitest'
import { openSession, pageOf, take } from '../fixtures/session.ts'

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
