import { expect, test } from 'vitest'
import { psnrOf, takeBoth } from '../../fixtures/pictures.ts'
import { changePort, makeProject, openSession, pageOf, take } from '../../fixtures/session.ts'

/** A canvas that is drawn in each frame over a background of two colours. */
const canvasPage = (style: string, css = '', script = ''): string =>
  `${pageOf(
    `<div style="background:linear-gradient(90deg,#246,#da6);padding:20px">text <canvas id="c" width="90" height="80" style="${style}"></canvas></div>`,
    css,
  )}<script>
    const context = c.getContext('2d')
    let calls = 0
    const draw = (time) => {
      calls += 1
      context.fillStyle = 'hsl(' + time / 3 + ' 90% 50%)'
      context.fillRect(0, 0, 90, 80)
      context.fillStyle = '#fff'
      context.fillRect(10, 10, 20 + time / 20, 40)
      ${script}
      requestAnimationFrame(draw)
    }
    draw(0)
  </script>`

test.each([
  'mix-blend-mode:screen',
  'mix-blend-mode:multiply;background:#8f8',
  'mix-blend-mode:difference;transform:translate(3px,4px)',
  'mix-blend-mode:overlay;transform:rotate(10deg)',
  'mix-blend-mode:screen;opacity:.5;position:absolute;left:100px;top:30px',
  'mix-blend-mode:plus-lighter;width:180px',
])('a canvas with a blend mode is drawn as in a screenshot: %s', async (style) => {
  const { raster, screenshots, warnings } = await takeBoth(canvasPage(style), 4)
  for (const [frame, picture] of raster.entries())
    expect(await psnrOf(picture, screenshots[frame]), `frame ${frame}`).toBeGreaterThan(45)
  expect(warnings).toEqual([])
})

/** A driver whose pages crash when the fastest lane begins a range. */
const crashingDriver = changePort(({ send, on }) => ({
  on,
  async send(method, params) {
    const { expression } = (params ?? {}) as { expression?: string }
    if (expression?.includes('raster.begin')) await send('Page.crash').catch(() => undefined)
    return send(method, params)
  },
}))

test('a page that crashes in the fastest lane is captured by a slower one, after it has crashed again', async () => {
  const projectDir = await makeProject({ 'index.html': canvasPage('') })
  const outcomes: string[] = []
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { session, warnings } = await openSession({}, { lane: 'auto', projectDir, driver: crashingDriver })
    const outcome = await take(session, 0, 4, 'rgba', 'png').then(
      (frames) => `${frames.length} frames`,
      (error: { code: string }) => error.code,
    )
    outcomes.push([outcome, ...warnings.map(({ message }) => message)].join(': '))
  }
  expect(outcomes).toEqual([
    'VID_PAGE_CRASHED',
    'VID_PAGE_CRASHED: A slower lane captures the picture: the page crashes in the fastest lane.',
    '4 frames',
  ])
})
