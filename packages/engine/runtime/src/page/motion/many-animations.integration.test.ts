import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

const STYLE =
  '<style>@keyframes move{from{left:0}to{left:100px}}i{position:absolute;animation:move 1s linear both}</style>'
const MANY = Array.from({ length: 300 }, () => '<i></i>').join('')

/** Counts how often the animations of the document are listed. */
const COUNT = `<script>const list = Document.prototype.getAnimations; globalThis.lists = 0
  Document.prototype.getAnimations = function (...args) { lists++; return list.apply(this, args) }</script>`

const LEFTS =
  '[...new Set([...document.querySelectorAll("i")].map((i) => Math.round(parseFloat(getComputedStyle(i).left))))]'

describe('hundreds of animations', () => {
  it('are not listed again while nothing can start', async () => {
    const { seek, read } = await start(composition(`${STYLE}${COUNT}${MANY}`))
    const before = await read('lists')
    for (let frame = 0; frame <= 15; frame++) await seek(frame)
    expect(await read(LEFTS)).toEqual([50])
    expect(await read('lists')).toBe(before)
  })

  it('are not listed again while transitions end that nothing follows', async () => {
    const html = composition(`<style>i{position:absolute;left:0;transition:left 1s linear}.on i{left:100px}</style>
      ${COUNT}<div id="all">${MANY}</div><script>addEventListener('load', () => {
        all.offsetWidth
        all.className = 'on'
      })</script>`)
    const { seek, read, probe } = await start(html)
    expect(probe.because).toEqual(['transitions'])
    const before = await read('lists')
    for (let frame = 0; frame <= 15; frame++) await seek(frame)
    expect(await read(LEFTS)).toEqual([50])
    await seek(40)
    expect(await read(LEFTS)).toEqual([100])
    expect(await read('lists')).toBe(before)
  })

  const lefts = async (html: string): Promise<number[]> => {
    const { seek, read } = await start(html)
    const seen: number[] = []
    for (let frame = 0; frame <= 30; frame++) {
      await seek(frame)
      seen.push(await read('Math.round(parseFloat(getComputedStyle(document.querySelector("s")).left) || 0)'))
    }
    return seen
  }

  it.each([1, 300])('are joined by what a change of the markup starts, beside %i', async (count) => {
    const seen = await lefts(
      composition(`${STYLE}<style>s{position:absolute}
      [data-start]:not([data-vid-window]) s{animation:move 1s linear both}</style>
      ${'<i></i>'.repeat(count)}<div data-start="0.5" data-duration="5"><s></s></div>`),
    )
    expect([seen[14], seen[15], seen[18], seen[30]]).toEqual([0, 0, 10, 50])
  })

  it.each([1, 300])('are joined by what a container starts that they make wider, beside %i', async (count) => {
    const seen = await lefts(
      composition(`${STYLE}<style>@keyframes grow{from{width:0}to{width:100px}}s{position:absolute}
      #box{container-type:inline-size;animation:grow 1s linear both}
      @container (min-width:50px){s{animation:move 1s linear both}}</style>
      ${'<i></i>'.repeat(count)}<div id="box"><s></s></div>`),
    )
    // It is as wide in frame 15, and what that starts begins there.
    expect([seen[14], seen[15], seen[18], seen[30]]).toEqual([0, 0, 10, 50])
  })
})
