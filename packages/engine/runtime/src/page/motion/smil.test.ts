import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'
import { bothWays } from '../../testing/ways.ts'
import { seenAt } from '../clock/origin.ts'

const { start } = useBrowser()

const svg = (inside: string, attributes = '') => `<svg ${attributes}><rect id="bar">${inside}</rect></svg>`
const MOVE = '<animate attributeName="x" from="0" to="100" dur="1s" fill="freeze"/>'
const LEFT = 'Math.round(bar.x.animVal.value)'

describe("a drawing's own animations", () => {
  it('are seeked without replay, and say no length', async () => {
    const html = composition(svg(MOVE), { root: '' })
    const { stepped, direct, probe } = await bothWays(start, html, 15, LEFT)
    expect([stepped, direct]).toEqual([50, 50])
    expect(probe).toMatchObject({ stateful: false, duration: null, stills: [] })
    expect((await bothWays(start, html, 45, LEFT)).direct).toBe(100)
  })

  it('count from the start of the clip around them, through shadow trees and frames', async () => {
    const html = composition(`<div data-start="0.5" data-duration="4"><div id="host"></div>
      <iframe srcdoc='${svg(MOVE)}'></iframe></div>
      <script>host.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(svg(MOVE))}</script>`)
    const bars = "[host.shadowRoot, document.querySelector('iframe').contentDocument]"
    const read = `${bars}.map((tree) => Math.round(tree.getElementById('bar').x.animVal.value))`
    const { stepped, direct } = await bothWays(start, html, 30, read)
    expect(stepped).toEqual([50, 50])
    expect(direct).toEqual([50, 50])
  })

  it('follow what a script sets, and dispatch their events after a replay', async () => {
    const html = composition(`${svg(MOVE, 'id="drawing"')}<script>
      drawing.setCurrentTime(0.25); window.log = [drawing.animationsPaused()]
      document.querySelector('animate').onend = () => log.push(performance.now())</script>`)
    const { stepped, direct, probe } = await bothWays(start, html, 15, LEFT)
    expect([stepped, direct]).toEqual([75, 75])
    expect(probe.because).toEqual(['events of SVG animations'])
    expect((await bothWays(start, html, 30, 'log')).direct).toEqual([false, seenAt(23 / 0.03)])
  })
})
