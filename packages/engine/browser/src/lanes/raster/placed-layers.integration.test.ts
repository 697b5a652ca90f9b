import { expect, test } from 'vitest'
import { partOf } from '../../../../../../scripts/dev/part-of.ts'
import { expectAlike, psnrOf, slidesOf, takeBoth } from '../../fixtures/pictures.ts'
import { formatsOf, openSession, pageOf, take } from '../../fixtures/session.ts'

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
const expectEqual = async (page: string, frames: number, least = 85) => {
  const { raster, screenshots } = await takeBoth(page, frames)
  expect(raster).toHaveLength(frames)
  for (const [index, frame] of raster.entries()) expect(await psnrOf(frame, screenshots[index])).toBeGreaterThan(least)
}

const places = {
  'by a margin': 'margin:13px 0 0 41px',
  'between pixels': 'position:absolute;left:40.4px;top:30.7px',
  'with a background': 'margin:20px;background:#fff',
  'with a gradient and round corners': 'margin:20px;background:linear-gradient(#fff,#08f);border-radius:20px',
  'with a shadow and an outline': 'position:relative;left:30px;box-shadow:0 5px 20px #000;outline:3px solid red',
  'in a block': 'display:block;margin:0 auto',
}

/** Expects each frame of slides of some frames each to equal its screenshot, so that one page does for all. */
const expectEqualSlides = async (slides: Readonly<Record<string, string>>, frames: number, least: number) => {
  const names = Object.keys(slides)
  const { raster, screenshots } = await takeBoth(slidesOf(Object.values(slides), frames), names.length * frames)
  expect(raster.map(({ format }) => format)).toEqual(Array(names.length * frames).fill('rgba'))
  for (const [index, frame] of raster.entries())
    expect(
      await psnrOf(frame, screenshots[index]),
      `${names[Math.floor(index / frames)]}, frame ${index % frames}`,
    ).toBeGreaterThan(least)
}

test.each(['2d', 'webgl'] as const)(
  'a %s canvas is drawn as in a screenshot wherever it is placed, in every frame',
  async (context) => {
    const slides = Object.entries(places).map(([name, style]) => [
      name,
      `<b style="position:absolute;left:60px;top:30px">before</b>${canvasOf(style, context)}
       <b style="position:absolute;left:90px;top:60px">over it</b><p>after</p>`,
    ])
    await expectEqualSlides(Object.fromEntries(slides), 2, 85)
  },
)

const at = 'position:absolute;left:60px;top:30px'

const sizes = {
  'in another size': `${at};width:200px;height:150px`,
  'in another size between pixels': 'position:absolute;left:20.4px;top:10.7px;width:137.3px;height:128.8px',
  'over a part of its page': 'width:50%',
  'in a flex box': 'width:130px;height:90px;align-self:center;flex:1',
  'in a smaller size with round corners': 'margin:10px auto;display:block;width:50px;border-radius:9px;background:#fff',
  'with an elliptical shadow of its size': 'width:150px;height:120px;border-radius:20px;box-shadow:0 6px 20px #0008',
  'with a border': 'border:2px solid #333;margin:10px',
  'with a border and another size': 'width:150px;height:120px;border:4px solid #08c',
  'with border, padding, corners and a shadow':
    'margin:20px;padding:8px;border:4px solid #08c;border-radius:20px;background:#fff;box-shadow:0 6px 20px #0008',
  'with object-fit: contain': `${at};width:200px;height:90px;object-fit:contain`,
  'with object-fit: cover': `${at};width:200px;height:90px;object-fit:cover`,
  'with object-fit: none at a place': `${at};width:200px;height:60px;object-fit:none;object-position:10px 100%`,
}

test('a canvas is drawn as in a screenshot in whatever size and frame, in every frame', async () => {
  const slides = Object.entries(sizes).map(([name, style]) => [
    name,
    `<p>before</p>${canvasOf(style, '2d')}<p>after</p>`,
  ])
  await expectEqualSlides(Object.fromEntries(slides), 2, 50)
})

test('a WebGL canvas in another size with a border is drawn as in a screenshot, in every frame', async () => {
  await expectEqual(pageOf(canvasOf(`${at};width:150px;height:120px;border:3px solid #08c`, 'webgl')), 4)
})

test.each(
  partOf(
    [
      `width:150px;height:120px;border:4px solid #08c;animation:move 1s linear`,
      'border:4px solid #08c;animation:move 1s linear',
    ],
    2,
  ),
)('a canvas that moves and turns shows what its screenshot shows, in every frame: %s', async (style) => {
  const motion = '@keyframes move { to { transform: translate(90.3px, 20.7px) rotate(50deg) scale(0.8) } }'
  await expectAlike(pageOf(canvasOf(`${at};${style}`, '2d'), motion), 10, 10)
})

test.each([
  ['scaled', 'scale:0.92'],
  ['scaled by an animation', 'animation:grow 1s linear both'],
  ['turned', 'transform:rotate(7deg)'],
  ['moved by parts of pixels', 'transform:translate(3.5px,2.5px)'],
])('a canvas in a card that is %s stays in the lane', async (_name, style) => {
  const card = `position:absolute;left:90px;top:40px;width:100px;height:80px;overflow:hidden;border-radius:16px;${style}`
  const paint = `<script>{
    const context = document.currentScript.previousElementSibling.getContext('2d')
    addEventListener('vid-seek', ({ detail: { time } }) => {
      context.fillStyle = 'hsl(' + time * 900 + ' 100% 30%)'
      context.fillRect(0, 0, 100, 80)
    }) }</script>`
  const motion = '@keyframes grow { from { transform: scale(0.91) } }'
  const page = pageOf(`<div style="${card}"><canvas width="100" height="80"></canvas>${paint}</div>`, motion)
  const { raster, screenshots, warnings } = await takeBoth(page, 3, 'auto')
  expect(warnings).toEqual([])
  expect(raster.map(({ format }) => format)).toEqual(['rgba', 'rgba', 'rgba'])
  const psnr = await Promise.all(raster.map((frame, index) => psnrOf(frame, screenshots[index])))
  // Only the edges of the card differ, by less than they would if the canvas were missing or lay elsewhere.
  expect(Math.min(...psnr)).toBeGreaterThan(30)
})

test('a canvas in a scaled box without a size is drawn', async () => {
  const { raster, screenshots } = await takeBoth(
    pageOf(`<div style="width:0;height:0;scale:2">${canvasOf(at, '2d')}</div>`),
    2,
  )
  expect(await Promise.all(raster.map((frame, index) => psnrOf(frame, screenshots[index])))).toEqual([
    Infinity,
    Infinity,
  ])
})

test('a script sees the size and styles that its page gives a canvas', async () => {
  const style = 'width:150px;height:120px;border:4px solid #08c'
  const script = `<p></p><script>addEventListener('vid-seek', () => {
    const { width, borderWidth } = getComputedStyle(document.querySelector('canvas'))
    document.querySelector('p').textContent = width + ' ' + borderWidth + ' ' + document.querySelector('canvas').clientWidth
    document.querySelector('p').style.background = width + borderWidth === '150px4px' ? 'lime' : 'red'
  })</script>`
  const { raster, screenshots } = await takeBoth(pageOf(canvasOf(style, '2d') + script), 4)
  for (const [index, frame] of raster.entries()) expect(await psnrOf(frame, screenshots[index])).toBe(Infinity)
})

test.each(
  partOf(
    [
      ['image-rendering', `${at};width:150px;image-rendering:pixelated`, ''],
      ['a border that an outline cannot show', 'border:4px dashed #08c', ''],
      ['over positioned content', 'width:150px', '<b style="position:absolute;left:20px;top:9px">first</b>'],
    ],
    3,
  ),
)('a canvas leaves the lane for %s, with a reason', async (reason, style, before) => {
  const { session, warnings } = await openSession(pageOf(before + canvasOf(style, '2d')))
  await take(session, 0, 2, 'rgba', 'png')
  expect(warnings).toMatchObject([{ code: 'VID_LANE_FALLBACK', message: expect.stringContaining(reason) }])
})

const svg =
  "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'><circle cx='45' cy='45' r='40' fill='red'/></svg>"

test.each(
  partOf(
    [
      `<object data="a.svg" type="image/svg+xml" style="margin:20px"></object>`,
      `<object data="a.svg" style="position:absolute;left:40.5px;top:33px;width:120px;height:110px;border:3px solid"></object>`,
      `<object data="a.html" style="margin:20px;width:200px;height:100px"></object>`,
      `<object data="missing.svg" style="margin:20px"><b>in its place</b></object>`,
      `<embed src="a.svg" type="image/svg+xml" style="margin:20px">`,
    ],
    2,
  ),
)('an embedded document is drawn as in a screenshot: %s', async (content) => {
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

test('a canvas is where it belongs in a range whose page has passed many frames before it', async () => {
  const page = pageOf(`<p>text</p>${canvasOf('', '2d')}<script>setTimeout(() => {}, 500)</script>`)
  const [raster, screenshots] = await Promise.all(
    (['raster', 'screenshot'] as const).map(async (lane) => {
      const { session } = await openSession(page, { lane })
      return take(session, 60, 2, ...formatsOf(lane))
    }),
  )
  for (const [index, frame] of raster?.entries() ?? [])
    expect(await psnrOf(frame, screenshots?.[index])).toBeGreaterThan(85)
})
