import { expect, test } from 'vitest'
import { psnrOf, takeBoth } from '../../fixtures/pictures.ts'
import { openSession, pageOf, take } from '../../fixtures/session.ts'

const contexts = {
  '2d': `const context = canvas.getContext('2d')
    addEventListener('vid-seek', ({ detail: { time } }) => {
      context.clearRect(0, 0, 100, 80)
      context.fillStyle = 'red'
      context.fillRect(9 + time * 90, 9, 50, 50)
      context.fillStyle = '#0808'
      context.fillRect(30, 30, 60, 40)
    })`,
  webgl: `const gl = canvas.getContext('webgl')
    addEventListener('vid-seek', ({ detail: { time } }) => {
      gl.disable(gl.SCISSOR_TEST)
      gl.clearColor(0, 0.25, 0.5, 0.5)
      gl.clear(gl.COLOR_BUFFER_BIT)
      gl.enable(gl.SCISSOR_TEST)
      gl.scissor(9 + time * 90, 9, 50, 50)
      gl.clearColor(1, 0, 0, 1)
      gl.clear(gl.COLOR_BUFFER_BIT)
    })`,
}

const canvasOf = (style: string, context: keyof typeof contexts) =>
  `<canvas width="100" height="80" style="${style}"></canvas>
   <script>{ const canvas = document.currentScript.previousElementSibling; ${contexts[context]} }</script>`

/** Expects each frame in the raster lane to equal its screenshot, but for the rounding of what shines through. */
const expectEqual = async (page: string, frames: number) => {
  const { raster, screenshots } = await takeBoth(page, frames)
  expect(raster).toHaveLength(frames)
  for (const [index, frame] of raster.entries()) expect(await psnrOf(frame, screenshots[index])).toBeGreaterThan(85)
}

const places = {
  'by a margin': 'margin:13px 0 0 41px',
  'between pixels': 'position:absolute;left:40.4px;top:30.7px',
  'with a background': 'margin:20px;background:#fff',
  'with a gradient and round corners': 'margin:20px;background:linear-gradient(#fff,#08f);border-radius:20px',
  'with a shadow and an outline': 'position:relative;left:30px;box-shadow:0 5px 20px #000;outline:3px solid red',
  'in a block': 'display:block;margin:0 auto',
}

test.each(
  Object.entries(places).flatMap(([name, style]) =>
    (['2d', 'webgl'] as const).map((context) => [context, name, style] as const),
  ),
)('a %s canvas that is placed %s is drawn as in a screenshot, in every frame', async (context, _name, style) => {
  const around = `<b style="position:absolute;left:60px;top:30px">before</b>${canvasOf(style, context)}
    <b style="position:absolute;left:90px;top:60px">over it</b><p>after</p>`
  await expectEqual(pageOf(around, '#root { background: #cde }'), 5)
})

const svg =
  "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'><circle cx='45' cy='45' r='40' fill='red'/></svg>"

test.each([
  `<object data="a.svg" type="image/svg+xml" style="margin:20px"></object>`,
  `<object data="a.svg" style="position:absolute;left:40.5px;top:33px;width:120px;height:110px;border:3px solid"></object>`,
  `<object data="a.html" style="margin:20px;width:200px;height:100px"></object>`,
  `<object data="missing.svg" style="margin:20px"><b>in its place</b></object>`,
  `<embed src="a.svg" type="image/svg+xml" style="margin:20px">`,
])('an embedded document is drawn as in a screenshot: %s', async (content) => {
  const files = { 'a.svg': svg, 'a.html': '<body style="background:#fd0">inside', 'index.html': pageOf(content) }
  const [raster, screenshots] = await Promise.all(
    (['raster', 'screenshot'] as const).map(async (lane) =>
      take((await openSession(files, { lane })).session, 0, 2, 'rgba', 'png'),
    ),
  )
  for (const [index, frame] of (raster ?? []).entries())
    expect(await psnrOf(frame, screenshots?.[index])).toBe(Infinity)
  expect(raster?.[0]?.format).toBe('rgba')
})
