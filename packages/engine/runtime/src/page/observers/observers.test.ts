import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'
import { bothWays } from '../../testing/ways.ts'
import { LOADING_MS, seenAt } from '../clock/origin.ts'

const { start, load, ready } = useBrowser()

const moving = (style: string) => `<style>#a { position: absolute; top: 9px; width: 40px; height: 40px }</style>
  <div id="clip" style="position:absolute;left:100px;width:100px;height:180px;${style}"><div id="a"></div></div>
  <script>(function draw() { a.style.left = performance.now() / 5 - 100 + 'px'; requestAnimationFrame(draw) })()</script>`

describe('an observer of what is in sight', () => {
  // The box's left edge is at 200 px a second, from 0.
  it('reports in the frame in which a box appears or disappears, whichever way the frame is reached', async () => {
    const html = composition(`${moving('overflow:hidden')}<script>window.log = []
      new IntersectionObserver((entries) => {
        for (const { isIntersecting, intersectionRatio, intersectionRect, target, time } of entries)
          log.push([Math.round(time), isIntersecting, +intersectionRatio.toFixed(2), Math.round(intersectionRect.width), target.id])
      }, { threshold: [0, 0.5] }).observe(a)</script>`)
    const { stepped, direct, probe } = await bothWays(start, html, 45, 'log')
    expect(direct).toEqual(stepped)
    // In sight between 100 px and 200 px: it touches at 60 px, half of it is in at 80 px.
    expect(stepped).toEqual([
      [0, false, 0, 0, 'a'],
      [300, true, 0, 0, 'a'],
      [400, true, 0.5, 20, 'a'],
      [933, true, 0.33, 13, 'a'],
      [1033, false, 0, 0, 'a'],
    ])
    expect(probe.because).toContain('observers')
  })

  it('supports roots with margins, reports each new element once, and can be stopped', async () => {
    const html =
      composition(`<div id="root2" style="position:absolute;left:0;width:50px;height:50px"><i id="b" style="position:absolute;left:60px;width:20px;height:20px"></i></div>
      <script>window.log = []
      const observe = (options) => new IntersectionObserver((entries, self) => log.push([options.rootMargin, entries.map((each) => each.isIntersecting), self instanceof IntersectionObserver]), options)
      observe({ root: root2, rootMargin: '0px' }).observe(b)
      const wide = observe({ root: root2, rootMargin: '0px 50%' })
      wide.observe(b)
      wide.observe(b)
      const stopped = observe({ rootMargin: '9px' }); stopped.observe(b); stopped.disconnect()
      setTimeout(() => { wide.unobserve(b); wide.observe(b) }, 90)</script>`)
    const { stepped, direct } = await bothWays(start, html, 5, 'log')
    expect(direct).toEqual(stepped)
    expect(stepped).toEqual([
      ['0px', [false], true],
      ['0px 50%', [true], true],
      ['0px 50%', [true], true],
    ])
  })
})

describe('an observer of sizes', () => {
  it('reports in the frame in which a size changes, but not when a transform does', async () => {
    const html =
      composition(`<div id="b" style="box-sizing:border-box;width:60px;height:20px;padding:5px;border:2px solid"></div>
      <script>window.log = []
      new ResizeObserver((entries) => {
        for (const { contentRect: { x, y, width, height }, borderBoxSize: [{ inlineSize, blockSize }], target } of entries)
          log.push([performance.now(), target.id, x, y, width, height, inlineSize, blockSize])
      }).observe(b)
      setTimeout(() => { b.style.width = '100px' }, 100)
      setTimeout(() => { b.style.transform = 'scale(2)' }, 200)
      setTimeout(() => { b.style.display = 'none' }, 300)</script>`)
    const { stepped, direct } = await bothWays(start, html, 12, 'log')
    expect(direct).toEqual(stepped)
    expect(stepped).toEqual([
      [LOADING_MS, 'b', 5, 5, 46, 6, 60, 20],
      [seenAt(100), 'b', 5, 5, 86, 6, 100, 20],
      [seenAt(300), 'b', 0, 0, 0, 0, 0, 0],
    ])
  })

  it('that changes what it watches comes to an end within a frame', async () => {
    const html = composition(`<div id="b" style="width:60px;height:20px"></div><script>window.n = 0
      new ResizeObserver(() => { n++; b.style.width = 60 + n + 'px' }).observe(b)</script>`)
    const { stepped, direct } = await bothWays<number>(start, html, 3, 'n')
    expect(direct).toBe(stepped)
    expect(stepped).toBeLessThan(100)
  })

  it('reports the sizes of a page before it begins', async () => {
    const page = await load(
      composition(
        `<script>new ResizeObserver(([{ contentRect }]) => { window.size = contentRect.width; requestAnimationFrame(() => 0) }).observe(document.querySelector('#root'))</script>`,
      ),
    )
    await ready(page)
    expect(await page.evaluate('size')).toBe(320)
  })
})
