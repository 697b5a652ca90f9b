import { expect, test } from 'vitest'
import { makeProject, openSession, pageOf, take } from '../fixtures/session.ts'

/** A page that shows other noise for each call of `next()`. `isBegun` is true from its first frame on. */
const noisePage = (script: string) =>
  pageOf(`<canvas id="canvas" width="200" height="100"></canvas><script>
    const context = canvas.getContext('2d')
    let state = 1
    const next = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      let value = state
      const pixels = context.createImageData(200, 100)
      for (let at = 0; at < pixels.data.length; at++) {
        value = (Math.imul(value, 1664525) + 1013904223) >>> 0
        pixels.data[at] = at % 4 === 3 ? 255 : value >>> 24
      }
      context.putImageData(pixels, 0, 0)
    }
    let isBegun = false
    addEventListener('vid-seek', () => { isBegun = true });
    ${script}
  </script>`)

/** Answers that arrive in real time. */
const soon = 'new Promise((resolve) => canvas.toBlob(resolve))'

test.each([
  [
    'moves all the time',
    `(async () => { for (;;) { await ${soon}; next() } })()`,
    'the page moves while the time of the composition stands still',
  ],
  [
    'is as far as the machine was fast',
    // What is still on its way as the page begins draws nothing more.
    `(async () => { while (!isBegun) { await ${soon}; isBegun || next() } })()`,
    'something in the page depends on how fast it is loaded and drawn, or on the frames before',
  ],
  [
    'shows what it decodes in real time',
    `(async () => {
      const { width, height } = canvas
      const picture = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
      for (;;) {
        const decoder = new ImageDecoder({ data: await picture.arrayBuffer(), type: 'image/png' })
        ;(await decoder.decode()).image.close()
        next()
      }
    })()`,
    'ImageDecoder runs by the real clock',
  ],
])(
  'a page that %s is said to be unrepeatable, not correct, by each session that captures it',
  async (_, script, reason) => {
    const projectDir = await makeProject({ 'index.html': noisePage(script) })
    const warning = {
      code: 'VID_PAGE_UNREPEATABLE',
      message: `Two captures of the same frame differ, so another render shows other pictures: ${reason}.`,
      hint: expect.stringContaining('waitUntil'),
      severity: 'error',
    }
    const first = await openSession({}, { projectDir })
    await expect(take(first.session, 0, 20, 'rgba', 'png')).rejects.toMatchObject({ code: 'VID_LANE_UNFIT' })
    expect(first.warnings).toEqual([warning])
    const again = await openSession({}, { projectDir })
    const frames = await take(again.session, 0, 3, 'rgba', 'png')
    expect(frames.map(({ format }) => format)).toEqual(['png', 'png', 'png'])
    expect(again.warnings).toEqual([warning])
  },
)

test('a frame is not called correct without a comparison', async () => {
  const page = pageOf('<b style="rotate:20deg;backdrop-filter:blur(1px);mix-blend-mode:multiply">a</b>')
  const { session, warnings } = await openSession(page)
  await take(session, 0, 2, 'rgba', 'png')
  expect(warnings).toEqual([
    expect.objectContaining({
      code: 'VID_LANE_FALLBACK',
      message: expect.stringMatching(/^A slower lane captures the picture: .* with a blend mode/),
    }),
  ])
})
