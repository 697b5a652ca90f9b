import { expect, test } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'
import { bothWays } from '../../testing/ways.ts'

const { start } = useBrowser()

const GROW = '.w{animation:grow 4s linear both}@keyframes grow{from{width:0}to{width:240px}}'
const FADE = '@keyframes fade{from{background:#f00}to{background:#00f}}'
const SHOW = '.w{animation:show 4s linear both}@keyframes show{from,24%{display:none}25%,to{display:block}}'
const COUNT =
  '@property --n{syntax:"<integer>";inherits:true;initial-value:0}.w{animation:count 4s linear both}@keyframes count{from{--n:0}to{--n:4}}'
const SLOWLY = 'transition:background 2s linear'
const INSIDE = '<div class="w"><div class="i"></div></div>'

/** Pages in which something starts while no script runs: the way, its styles, and its elements. */
const PAGES = [
  [
    'a container that grows starts a transition',
    `${GROW}.w{container:w/inline-size}.i{background:#fff;${SLOWLY}}@container w (width>50px){.i{background:#000}}`,
    INSIDE,
  ],
  [
    'a container that grows starts an animation',
    `${GROW}${FADE}.w{container:w/inline-size}@container w (width>50px){.i{animation:fade 2s linear both}}`,
    INSIDE,
  ],
  [
    'letters that grow make a container larger',
    `.w{animation:s 4s linear both}@keyframes s{from{font-size:10px}to{font-size:30px}}.c{container:c/inline-size;width:10em}
    .i{background:#fff;${SLOWLY}}@container c (width>150px){.i{background:#000}}`,
    '<div class="w"><div class="c"><div class="i"></div></div></div>',
  ],
  ['a style query', `${COUNT}.i{background:#fff;${SLOWLY}}@container style(--n:1){.i{background:#000}}`, INSIDE],
  ['a condition in a value', `${COUNT}.i{background:if(style(--n:1):#000;else:#fff);${SLOWLY}}`, INSIDE],
  ['a variable', `${COUNT}.i{background:rgb(calc(var(--n) * 60) 0 0);${SLOWLY}}`, INSIDE],
  [
    'a drawing that sets a class',
    `.i{background:#fff;${SLOWLY}}svg:has(.on)+.i{background:#000}`,
    '<svg width="9" height="9"><g><set attributeName="class" to="on" begin="1s"/></g></svg><div class="i"></div>',
  ],
  ['elements that are shown', `${SHOW}${FADE}.i{animation:fade 2s linear both}`, INSIDE],
  ['a style to start from', `${SHOW}.i{background:#000;${SLOWLY};@starting-style{background:#f00}}`, INSIDE],
  [
    'elements that are hidden for a while',
    `.w{animation:d 4s linear both}@keyframes d{0%,20%{display:block}25%,30%{display:none}31%,to{display:block}}
    ${FADE}.i{animation:fade 2s linear both}`,
    INSIDE,
  ],
] as const

const COLOUR = `getComputedStyle(document.querySelector('.i')).backgroundColor`

test.each(PAGES)('%s: a frame is the same when those before are passed', async (_name, css, body) => {
  const html = composition(`<style>.i{height:100px}${css}</style>${body}`)
  const { stepped, direct, probe } = await bothWays(start, html, 54, COLOUR)
  expect(direct).toEqual(stepped)
  expect(probe).toMatchObject({ stateful: false, selfStarting: true })
  // It is between the colours of the start and the end, so that its time is seen.
  expect(['rgb(255, 255, 255)', 'rgb(0, 0, 0)', 'rgb(255, 0, 0)', 'rgb(0, 0, 255)']).not.toContain(stepped)
})

test.each([
  ['an animation', '.i{animation:move 1s both}@keyframes move{to{translate:9px}}', '<div class="i"></div>'],
  ['a transition that nothing starts', '.i{transition:all 1s}', '<div class="i"></div>'],
])('no frame is passed for %s alone', async (_name, css, body) => {
  const page = await start(composition(`<style>${css}</style>${body}`))
  expect(page.probe).toMatchObject({ stateful: false, selfStarting: false })
})
