import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

const notes = `__vidHost.errors().map(({ isNote, message }) => [isNote, message.slice(0, message.indexOf(','))])`
const ofDocument = [true, 'the page scrolls its document']
const smoothly = [true, 'the page scrolls an element smoothly']

const TALL = '<div id="box" style="height:50px;overflow:auto"><p id="end" style="height:500px;margin:0"></p></div>'

describe('scrolling that a composition does not do', () => {
  it.each([
    ['scrollTo(0, 100)', [ofDocument]],
    ['scrollBy({ top: 100 })', [ofDocument]],
    ['document.documentElement.scrollTop = 100; window.scroll(0, 5)', [ofDocument]],
    ["box.scrollTo({ top: 100, behavior: 'smooth' })", [smoothly]],
    ["end.scrollIntoView({ behavior: 'smooth' })", [smoothly]],
    ['scrollTo(0, 0); box.scrollTop = 100; box.scrollTo(0, 50)', []],
  ])('is named: %s', async (script, expected) => {
    const page = await start(composition(`${TALL}<script>${script}</script>`))
    expect(await page.read(notes)).toEqual(expected)
  })

  it.each([
    ['box.scrollTop = 100', [smoothly]],
    ['box.scrollBy(0, 100)', [smoothly]],
    ['end.scrollIntoView(false)', [smoothly]],
    ["box.scrollTo({ top: 100, behavior: 'instant' })", []],
  ])('is named where a style makes it smooth: %s', async (script, expected) => {
    const head = '<style>#box { scroll-behavior: smooth }</style>'
    const page = await start(composition(`${TALL}<script>${script}</script>`, { head }))
    expect(await page.read(notes)).toEqual(expected)
  })

  it('is named for an animation that follows the document', async () => {
    const head =
      '<style>@keyframes grow { from { scale: 0 } } #end { animation: grow linear; animation-timeline: scroll(SOURCE) }</style>'
    const root = await start(composition(TALL, { head: head.replace('SOURCE', 'root') }))
    expect(await root.read(notes)).toEqual([[true, 'an animation follows the scroll position of the document']])
    const nearest = await start(composition(TALL, { head: head.replace('SOURCE', 'nearest') }))
    expect(await nearest.read(notes)).toEqual([])
  })
})
