import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { openSession, pageOf, pixelAt, pixelsOf, take } from '../fixtures/session.ts'

const { resolve } = createRequire(import.meta.url)
const files = {
  'gsap.js': readFileSync(resolve('gsap/dist/gsap.min.js'), 'utf8'),
  'transitions.js': readFileSync(
    resolve('@hyperframes/shader-transitions').replace(/index\.cjs$/, 'index.global.js'),
    'utf8',
  ),
}

/** Red until 0.2 s, blue from 0.8 s on; a shader shows both in between. */
const page = pageOf(
  `<div id="one" class="scene"><canvas id="mark" width="40" height="40"></canvas></div><div id="two" class="scene"></div>
  <canvas layoutsubtree width="1" height="1" style="position:absolute"><b id="own"><canvas></canvas></b></canvas>
  <script src="gsap.js"></script><script src="transitions.js"></script><script>
    const context = mark.getContext('2d')
    context.fillStyle = '#0f0'
    context.fillRect(0, 0, 40, 40)
    const timeline = gsap.timeline({ paused: true })
    HyperShader.init({
      bgColor: '#000', scenes: ['one', 'two'], timeline,
      transitions: [{ time: 0.2, shader: 'sdf-iris', duration: 0.6, ease: 'none' }],
    })
    window.__timelines = { root: timeline }
  </script>`,
  '#one, #two { position: absolute; inset: 0; background: #f00 } #two { background: #00f } #mark { position: absolute; right: 0; top: 0 }',
).replace('data-no-timeline', '')

const RED = [255, 0, 0, 255]
const BLUE = [0, 0, 255, 255]

test.each(['auto', 'screenshot'] as const)(
  'the transitions of HyperFrames are drawn at the time of each frame, in lane %s',
  async (lane) => {
    const capture = async () => {
      const { session, warnings } = await openSession({ 'index.html': page, ...files }, { lane })
      const frames = await take(session, 3, 24)
      expect(warnings.map(({ code }) => code).filter((code) => code !== 'VID_LANE_FALLBACK')).toEqual([])
      return Promise.all(frames.map(pixelsOf))
    }
    const frames = await capture()
    const corner = (frame: number) => pixelAt(frames[frame - 3] ?? Buffer.of(), 2, 2)
    const middle = (frame: number) => pixelAt(frames[frame - 3] ?? Buffer.of(), 160, 90)
    expect([corner(3), middle(3)]).toEqual([RED, RED])
    // An iris opens from the middle.
    expect([corner(12), middle(12)]).toEqual([RED, BLUE])
    // A canvas is a part of its scene.
    expect(pixelAt(frames[9] ?? Buffer.of(), 310, 9)).toEqual([0, 255, 0, 255])
    expect([corner(26), middle(26)]).toEqual([BLUE, BLUE])
    const isMoving = frames
      .slice(5, 12)
      .map((pixels, index) => Buffer.compare(pixels, frames[index + 4] ?? Buffer.of()))
    expect(isMoving).not.toContain(0)
    const again = await capture()
    expect(frames.map((pixels, index) => Buffer.compare(pixels, again[index] ?? Buffer.of()))).toEqual(
      frames.map(() => 0),
    )
  },
)
