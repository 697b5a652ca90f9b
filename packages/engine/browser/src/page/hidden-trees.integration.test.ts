import { describe, expect, it } from 'vitest'
import { formatsOf, openSession, pageOf, pixelAt, pixelsOf, take } from '../fixtures/session.ts'

const LANES = ['raster', 'begin-frame', 'screenshot'] as const

const place = (left: number) => `position:absolute;top:0;left:${left}px;width:40px;height:40px;`

/** Parts at x = 0, 40, 80 … that turn from red to blue within two seconds, each in a shadow tree of the browser. */
const PARTS = pageOf(
  `<progress value="1" style="${place(0)}"></progress>
  <input type="range" style="${place(40)}">
  <svg style="${place(80)}"><use href="#icon"/></svg>
  <details id="panel" style="${place(120)}"><summary></summary><b></b></details>
  <svg width="0" height="0"><symbol id="icon"><rect class="turn" width="40" height="40"/></symbol></svg>
  <script>setTimeout(() => { panel.open = true }, 500)</script>`,
  `@keyframes turn { from { background: #f00; fill: #f00 } to { background: #00f; fill: #00f } }
  .turn, ::-webkit-progress-value, ::-webkit-slider-thumb { animation: turn 2s linear infinite }
  progress, input { appearance: none; margin: 0 }
  ::-webkit-slider-thumb { appearance: none; width: 40px; height: 40px }
  summary { display: none }
  details b { position: absolute; inset: 0; background: #000 }
  details::details-content { opacity: 0; transition: opacity 1s linear, content-visibility 1s allow-discrete }
  details[open]::details-content { opacity: 1 }`,
)

const shownAt = async (lane: (typeof LANES)[number], page: string, start: number, points: readonly number[]) => {
  const { session, warnings } = await openSession(page, { lane })
  const [frame] = await take(session, start, 1, ...formatsOf(lane))
  if (!frame) throw new Error('no frame')
  const pixels = await pixelsOf(frame)
  return { colours: points.map((x) => pixelAt(pixels, x, 20)), warnings: warnings.map(({ code }) => code) }
}

describe.each(LANES)('animations in shadow trees of the browser, in lane %s', (lane) => {
  it('have the time of the frame', async () => {
    const { colours, warnings } = await shownAt(lane, PARTS, 30, [20, 60, 100, 140])
    const half = [expect.closeTo(128, -1), 0, expect.closeTo(128, -1), 255]
    const shade = expect.closeTo(128, -1)
    expect(colours).toEqual([half, half, half, [shade, shade, shade, 255]])
    expect(warnings).toEqual([])
  })

  it('show a progress bar without a value and a marquee at the time of the frame', async () => {
    const page = pageOf(
      `<progress style="position:absolute;left:0;top:0;width:200px;height:40px"></progress>
      <marquee behavior="alternate" scrollamount="10" scrolldelay="100" style="position:absolute;left:220px;top:0;width:100px">
        <i style="display:inline-block;width:20px;height:40px;background:#000"></i></marquee>`,
    )
    // A quarter of its run later, the bar's piece is in the middle.
    const { colours } = await shownAt(lane, page, 19, [20, 100, 180])
    expect(colours.map(([red, , blue]) => (blue ?? 0) > 200 && (red ?? 0) < 60)).toEqual([false, true, false])
    const later = await shownAt(
      lane,
      page,
      45,
      Array.from({ length: 100 }, (_, x) => 220 + x),
    )
    expect(
      await shownAt(
        lane,
        page,
        45,
        Array.from({ length: 100 }, (_, x) => 220 + x),
      ),
    ).toEqual(later)
    expect(later.colours.filter(([red]) => red === 0).length).toBeGreaterThan(15)
  })

  it('show a progress bar without a value in its line where one with a value is', async () => {
    const line = `<div style="font: 16px/40px sans-serif">x <progress style="width:60px"></progress> <progress value="0" style="width:60px"></progress>
      <progress style="width:60px;height:40px"></progress> <progress value="0" style="width:60px;height:40px"></progress></div>`
    const { session } = await openSession(pageOf(line), { lane })
    const [frame] = await take(session, 37, 1, ...formatsOf(lane))
    if (!frame) throw new Error('no frame')
    const pixels = await pixelsOf(frame)
    const rowsAt = (x: number) => Array.from({ length: 80 }, (_, y) => (pixelAt(pixels, x, y)[0] ?? 0) < 250)
    const starts = [20, 84, 148, 212].map((left) => left + 20)
    const [without = [], value, tall = [], tallValue] = starts.map(rowsAt)
    expect([without.filter(Boolean).length, tall.filter(Boolean).length]).toEqual([8, 20])
    expect(without).toEqual(value)
    expect(tall).toEqual(tallValue)
  })
})

describe('an animation that the page cannot reach', () => {
  it('stands still however long a render takes, and is named', async () => {
    const closed = pageOf(
      `<div id="host" style="${place(0)}"><template shadowrootmode="closed">
      <style>@keyframes turn { from { background: #f00 } to { background: #00f } }
      b { position: absolute; inset: 0; animation: turn 1s linear infinite }</style><b></b></template></div>`,
    )
    const { session, warnings } = await openSession(closed, { lane: 'screenshot' })
    const frames = await take(session, 0, 60, 'png')
    const first = frames[0]
    const last = frames[59]
    if (!first || !last) throw new Error('no frame')
    expect(pixelAt(await pixelsOf(first), 20, 20)).toEqual([255, 0, 0, 255])
    expect(pixelAt(await pixelsOf(last), 20, 20)).toEqual([255, 0, 0, 255])
    expect(warnings).toEqual([
      expect.objectContaining({
        code: 'VID_ANIMATION_STILL',
        message: expect.stringContaining('"turn" in <div id="host">'),
      }),
    ])
  })

  it('is none that has no length, such as a transition that a script takes back at once', async () => {
    const page = pageOf(
      `<div id="box" style="${place(0)};transition:transform 1s">a</div><script>setTimeout(() => {
      for (const value of ['translateX(50px)', 'none']) { box.style.transform = value; box.getBoundingClientRect() } }, 100)</script>`,
    )
    const { session, warnings } = await openSession(page, { lane: 'screenshot' })
    expect(await take(session, 0, 15)).toHaveLength(15)
    await session.report?.()
    expect(warnings).toEqual([])
  })

  it('is none that drawing a frame starts again and again, such as a transition between equal values', async () => {
    const page = pageOf(
      `<button>open</button><dialog id="panel"><button>close</button></dialog>
      <script>setTimeout(() => panel.showModal(), 100); setTimeout(() => panel.close(), 300)</script>`,
      `* { transition: all 0.5s allow-discrete }
      dialog { opacity: 0 } dialog[open] { opacity: 1 } @starting-style { dialog[open] { opacity: 0 } }`,
    )
    const { session, warnings } = await openSession(page, { lane: 'screenshot' })
    expect(await take(session, 0, 15)).toHaveLength(15)
    await session.report?.()
    expect(warnings).toEqual([])
  })
})
