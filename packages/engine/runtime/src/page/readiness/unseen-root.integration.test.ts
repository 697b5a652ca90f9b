import { expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

const unseen = async (style: string, body = '<p>text</p>', gsap = false) =>
  (await start(composition(body, { gsap, head: `<style>${style}</style>` }))).probe.unseen

it.each([
  ['#root { display: none }', '<div id="root"> has the style display: none'],
  ['body { display: none }', '<body> has the style display: none'],
  ['body { visibility: hidden }', 'it has the style visibility: hidden'],
  ['body { opacity: 0 }', '<body> has the style opacity: 0'],
  ['div#root { height: 0 !important }', 'its box has 320 x 0 pixels'],
  ['#root { scale: 0 }', 'its box has 0 x 0 pixels'],
  ['#root { left: -4000px }', 'its box is outside the picture, at -4000, 0 pixels from the left and top'],
  ['body { translate: 0 180px }', 'its box is outside the picture, at 0, 180 pixels from the left and top'],
])('a root with %s is not seen: %s', async (style, reason) => {
  expect(await unseen(style)).toBe(reason)
})

it('a root that is marked with data-hidden is not seen', async () => {
  const { probe } = await start(composition('', { root: 'data-duration="1" data-hidden' }))
  expect(probe.unseen).toBe('<div id="root"> is marked with data-hidden')
})

const tween = (target: string) => `<p>text</p><script>
  const timeline = gsap.timeline({ paused: true })
  timeline.to('${target}', { autoAlpha: 1, duration: 1 })
  window.__timelines = { main: timeline }</script>`

it.each([
  ['that shows a part of itself', '#root { visibility: hidden } p { visibility: visible }', '<p>text</p>'],
  [
    'with a clip that is visible later',
    '#root { visibility: hidden } p { visibility: visible }',
    '<p data-start="1">text</p>',
  ],
  ['with a box in the window', '#root { left: -4000px } p { position: fixed }', '<p>text</p>'],
  ['that is partly in the picture', '#root { left: -319px }', ''],
  ['that fades in', '#root { opacity: 0; animation: a 1s 1s forwards } @keyframes a { to { opacity: 1 } }', ''],
  ['in a body that comes in', 'body { animation: a 1s } @keyframes a { from { translate: 400px } }', ''],
  ['that a script shows later', '#root { display: none }', '<script>setTimeout(() => {}, 1000)</script>'],
])('a root %s may be seen', async (_title, style, body) => {
  expect(await unseen(style, body)).toBe(undefined)
})

it('a timeline may show a hidden root only if it moves the root or what is around it', async () => {
  const style = '#root { opacity: 0 }'
  expect(await unseen(style, tween('#root'), true)).toBe(undefined)
  expect(await unseen(style, tween('body'), true)).toBe(undefined)
  expect(await unseen(style, tween('p'), true)).toMatch(/opacity: 0/)
})
