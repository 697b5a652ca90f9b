import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Patch } from '../support/colours.ts'
import { here, scratch, vidInProcess as vid } from '../support/vid.ts'
import { box, compare, projectOf, renderAllWays, within } from '../support/ways.ts'

const bar = (x: number, y: number, w = 20): Patch => box(x, y, w, 10, '#ffffff')
const clamp = (value: number, max = 1): number => Math.max(0, Math.min(value, max))

/** Where the bar of a row stands that only chance can tell. */
const placesOf = (frames: readonly Uint8Array[], row: number): number[] =>
  frames.map((frame) =>
    Array.from({ length: 320 }, (_, x) => x).findIndex((x) => (frame[(row * 320 + x) * 3] ?? 0) > 128),
  )

test('everything seekable shows its time, counted from the start of its clip', async () => {
  const { frames, stderr } = await renderAllWays(here('projects/seeked'))
  const scene = (t: number): Patch[] => [
    bar(t < 1.25 ? 100 * clamp(t - 0.25) : 100 * clamp(2.25 - t), 0),
    ...(within(t, 0.5) ? [bar(100 * (t - 0.5), 12)] : []),
    bar(t < 0.5 ? 100 - 200 * t : 0, 24),
    ...(within(t, 0.25) ? [bar(200 * clamp(t - 0.75, 0.5), 36, 20 + 200 * clamp(t - 0.25, 0.5))] : []),
    ...(within(t, 0.5, 1.25) ? [bar(200 * clamp(t - 0.75, 0.5), 48)] : []),
    bar(100 * t, 60),
    bar(50 * clamp(t), 72),
    bar(within(t, 1) ? 150 : 50, 84),
    ...(within(t, 0.25, 1.25) ? [bar(200 * clamp(t - 0.25, 0.5), 96)] : []),
    bar(100 * t, 108),
    bar(80 * t, 120),
    bar(60 * t, 132),
    bar(120 * t, 144),
  ]
  expect(frames).toHaveLength(45)
  expect(compare(frames, scene, 160)).toEqual([])
  expect(new Set(placesOf(frames, 173)).size).toBeGreaterThan(20)
  expect(stderr).not.toContain('warning')
})

test('an animation in content that the browser skips begins when that is shown, and then goes on', async () => {
  const row = (y: number, around: string) =>
    around.replace('>', ` style="position:absolute;left:0;top:${y}px;width:320px;height:10px">`)
  const project = await projectOf({
    'index.html': `<!doctype html><html><head><style>
      body { margin: 0; background: #000 } i { display: block; width: 20px; height: 10px; background: #fff; animation: m 2s linear }
      @keyframes m { to { margin-left: 200px } } .skip { content-visibility: hidden } summary { display: none }
      </style></head><body><div data-composition-id="main" data-width="320" data-height="180" data-duration="1.5">
      ${row(0, '<div><i></i></div>')}${row(12, '<div id="a" class="skip"><i></i></div>')}${row(24, '<div id="b"><i></i></div>')}
      ${row(36, '<details id="c"><summary></summary><i></i></details>')}${row(48, '<div id="d" hidden="until-found"><i></i></div>')}
      </div><script>
      setTimeout(() => { a.className = ''; c.open = true; d.removeAttribute('hidden') }, 500)
      setTimeout(() => { b.className = 'skip' }, 300)
      setTimeout(() => { b.className = '' }, 900)
      </script></body></html>`,
  })
  const { frames, stderr } = await renderAllWays(project)
  const scene = (t: number): Patch[] => [
    bar(100 * t, 0),
    ...(within(t, 0.3, 0.9) ? [] : [bar(100 * t, 24)]),
    ...(within(t, 0.5) ? [12, 36, 48].map((y) => bar(100 * (t - 0.5), y)) : []),
  ]
  expect(frames).toHaveLength(45)
  expect(compare(frames, scene, 60)).toEqual([])
  expect(stderr).not.toContain('warning')
})

test('animations that run on the clock and keep state are the same on any worker', async () => {
  const { frames, stderr } = await renderAllWays(here('projects/stateful'))
  const calls = [5, 20, 100, 107, 154]
  const scene = (t: number): Patch[] => {
    const passed = [0.2, 0.4, 1, 1.2].filter((time) => within(t, time)).length
    return [
      bar(200 * clamp(t - 0.75, 0.5), 0),
      bar(30 * Math.floor(t / 0.3 + 1e-6), 12),
      bar(100 * t, 24),
      bar(passed === 0 ? 0 : (calls[passed] ?? 0), 36),
      bar(100 * t, 48),
      bar(25 * Math.floor(t / 0.25 + 1e-6), 60),
      bar(100 * t, 72),
    ]
  }
  expect(frames).toHaveLength(45)
  expect(compare(frames, scene, 160)).toEqual([])
  expect(new Set(placesOf(frames, 173)).size).toBeGreaterThan(20)
  expect(stderr).not.toContain('warning')
})

test('an invalid Lottie file is reported at once, and the rest is drawn', async () => {
  const project = await projectOf({
    'index.html': `<!doctype html><html><body><div id="root" data-composition-id="main" data-width="64" data-height="36" data-duration="0.1"><div id="box"></div></div>
    <script src="https://cdnjs.cloudflare.com/ajax/libs/bodymovin/5.12.2/lottie.min.js"></script>
    <script>for (const path of ['art/none.json', 'art/cut.json']) lottie.loadAnimation({ container: box, path })</script></body></html>`,
    'art/cut.json': '{"v":"5.7.0","layers":[',
  })
  const begun = performance.now()
  const run = await vid(['render', project, '-o', join(await scratch(), 'out.mp4')])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  expect(performance.now() - begun).toBeLessThan(60_000)
  for (const name of ['art/none.json', 'art/cut.json'])
    expect(run.stderr).toMatch(new RegExp(`warning VID_SCRIPT_ERROR: .*Lottie could not load ${name}`))
})
