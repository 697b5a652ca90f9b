import { expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

const unseen = async (inside: string, host = 'data-start="0"', options: Parameters<typeof composition>[1] = {}) => {
  const tag = `<div id="host" data-composition-src="card.html" data-vid-instance="i1" ${host}>${inside}</div>`
  const { probe } = await start(composition(tag, options))
  return probe.unseenEmbedded.map(({ element, src, reason }) => `${element} ${src}: ${reason}`)
}

const EMPTY = '<div id="host"> card.html: it has no text, no picture and no background'

it.each([
  ['nothing', '', EMPTY],
  ['a template', '<template><p>text</p></template>', EMPTY],
  ['boxes without anything', '<div style="height:50px"><p> </p></div>', EMPTY],
  ['a data script', '<script type="application/json">{}</script>', EMPTY],
  [
    'content that a style hides',
    '<div style="opacity:0"><p id="a">text</p></div>',
    '<div id="host"> card.html: <div> has the style opacity: 0',
  ],
  [
    'content that is not visible',
    '<p id="a" style="visibility:hidden">text</p>',
    '<div id="host"> card.html: everything in it is hidden, as is <p id="a">',
  ],
])('an embedded file with %s is reported', async (_title, inside, message) => {
  expect(await unseen(inside)).toEqual([message])
})

it('one that starts when the composition has ended is reported', async () => {
  expect(await unseen('text', 'data-start="10"')).toEqual([
    '<div id="host"> card.html: it starts at 10 s, and the composition ends at 10 s',
  ])
})

it('an empty one is reported in a page that keeps state, unless its own scripts may fill it', async () => {
  const running = '<script>requestAnimationFrame(function f() { requestAnimationFrame(f) })</script>'
  expect(await unseen('', '', { head: running })).toEqual([EMPTY])
  expect(await unseen('<script>__vid.__scope("i1")</script>', '', { head: running })).toEqual([])
})

it.each([
  ['text', 'text', ''],
  ['a picture', '<canvas></canvas>', ''],
  ['a background', '<div style="height:9px;background:red"></div>', ''],
  ['a background of its own', '', 'data-start="0" style="background:red"'],
  ['a border', '<div style="border:1px solid"></div>', ''],
  ['a pseudo-element', '<style>b::before{content:"x"}</style><b></b>', ''],
  ['sound alone', '<audio data-start="0"></audio>', ''],
  ['a later start', '<p data-start="3">text</p>', 'data-start="2"'],
  [
    'what an animation shows',
    '<style>@keyframes in { to { opacity: 1 } }</style><p style="opacity:0;animation:in 1s">text</p>',
    '',
  ],
])('an embedded file with %s is not reported', async (_title, inside, host) => {
  expect(await unseen(inside, host)).toEqual([])
})

it('what a timeline shows is not reported', async () => {
  const inside = `<p id="a" style="opacity:0">text</p><script>
    const timeline = gsap.timeline({ paused: true }).to('#a', { opacity: 1, duration: 1 })
    window.__timelines = { main: timeline }</script>`
  expect(await unseen(inside, '', { gsap: true })).toEqual([])
})
