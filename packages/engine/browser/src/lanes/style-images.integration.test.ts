import { expect, test } from 'vitest'
import { longTest, partOf } from '../../../../../scripts/dev/part-of.ts'
import { height, openSession, pageOf, pixelsOf, take, width } from '../fixtures/session.ts'

const BLUE = '3355bb'
const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="100%" height="100%" fill="#${BLUE}"/></svg>`

/** From this frame on, the picture is shown. */
const FROM = 4
const FRAMES = 8

interface Way {
  readonly style?: string
  readonly content?: string
  /** Runs at every frame; it knows `isOn` and the box `i`. */
  readonly script?: string
}

const ways: Readonly<Record<string, Way>> = {
  'a class': { style: '.on i { background: url(w.svg) }' },
  'a class in a media query': { style: '@media (min-width: 1px) { .on i { background: url(w.svg) } }' },
  'a style attribute': { script: `i.style.backgroundImage = isOn ? 'url(w.svg)' : ''` },
  'a part before an element': {
    style: '.on i::before { content: ""; position: absolute; inset: 0; background: url(w.svg) }',
  },
  'the content of a part': { style: '.on i::after { content: url(w.svg) }' },
  'an element that is displayed': {
    style: 'i { display: none; background: url(w.svg) } .on i { display: block }',
  },
  'a property of the page': { style: 'i { background: var(--back) } .on { --back: url(w.svg) }' },
  'an animation': {
    style: '@keyframes swap { to { background-image: url(w.svg) } } .on i { animation: swap 1s steps(1, start) both }',
  },
  'a border': { style: 'i { border: 200px solid transparent } .on i { border-image: url(w.svg) 200 fill }' },
  'an inserted rule': {
    script: `const [sheet] = document.styleSheets; if (isOn && !window.done) { window.done = true; sheet.insertRule('i { background: url(w.svg) }', sheet.cssRules.length) }`,
  },
  'an inserted sheet': {
    script: `if (isOn && !window.done) { window.done = true; const style = document.createElement('style'); style.textContent = 'i { background: url(w.svg) }'; document.head.append(style) }`,
  },
  'a rule that a script changes': {
    style: 'i { background: #fff }',
    script: `const { style } = [...document.styleSheets[0].cssRules].find(({ selectorText }) => selectorText === 'i'); style.background = isOn ? 'url(w.svg)' : '#fff'`,
  },
  'a sheet that is replaced': {
    script: `window.sheet ??= new CSSStyleSheet(); document.adoptedStyleSheets = [sheet]; sheet.replaceSync(isOn ? 'i { background: url(w.svg) }' : 'i { background: #fff }')`,
  },
  'a tree of its own': {
    content: `<div style="position:absolute;inset:0"></div><script>{ const tree = document.querySelector('#root > div').attachShadow({ mode: 'open' }); tree.innerHTML = '<style>p { position: absolute; inset: 0; margin: 0 } :host(.in) p { background: url(w.svg) }</style><p></p>' }</script>`,
    script: `document.querySelector('#root > div').className = isOn ? 'in' : ''`,
  },
  'an address of parts': { script: `i.style.background = isOn ? 'url("./sub/../w.svg") 0 0 no-repeat' : ''` },
}

const pageOfWay = ({ style = '', content = '', script = '' }: Way) =>
  pageOf(
    `<i style="position:absolute;inset:0"></i>${content}<script>{
      const i = document.querySelector('i')
      addEventListener('vid-seek', ({ detail }) => {
        const isOn = Math.round(detail.time * 30) >= ${FROM}
        document.documentElement.classList.toggle('on', isOn)
        ${script}
      })
    }</script>`,
    `#root { background: #fff } ${style}`,
  )

/** The colour near a corner, in hexadecimal digits. */
const cornerOf = (pixels: Uint8Array): string => {
  const at = ((height - 9) * width + width - 9) * 4
  return Buffer.from(pixels.subarray(at, at + 3)).toString('hex')
}

test.each(partOf(Object.entries(ways), 7))(
  'a picture that %s brings is there in the frame that first shows it, in each lane',
  async (_name, way) => {
    const files = { 'index.html': pageOfWay(way), 'w.svg': picture, 'sub/x.txt': '' }
    for (const lane of ['raster', 'begin-frame', 'screenshot'] as const) {
      const { session } = await openSession(files, { lane })
      const frames = await take(session, 0, FRAMES, 'rgba', 'png')
      const corners = await Promise.all(frames.map(async (frame) => cornerOf(await pixelsOf(frame))))
      const expected = Array.from({ length: FRAMES }, (_, frame) => (frame >= FROM ? BLUE : 'ffffff'))
      expect(corners, lane).toEqual(expected)
    }
  },
)

test('a picture that is named by a rule without elements is not requested', async () => {
  const page = pageOf('<i></i>', 'i { background: #fff } .none, .also i { background: url(missing.png) }')
  const { session, warnings } = await openSession(page, { lane: 'screenshot' })
  await take(session, 0, 2, 'png')
  await session.report?.()
  expect(warnings).toEqual([])
})

longTest(
  'pictures of many styles are requested when they are shown, and those that nothing names any more are let go',
  async () => {
    const script = `const frame = Math.round(detail.time * 30)
    i.style.backgroundImage = Array.from({ length: 90 }, (_, index) => 'url(w.svg?' + (frame * 90 + index) + ')').join()`
    const { session } = await openSession(
      { 'index.html': pageOfWay({ script }), 'w.svg': picture },
      { lane: 'screenshot' },
    )
    const frames = await take(session, 0, FRAMES, 'png')
    const corners = await Promise.all(frames.map(async (frame) => cornerOf(await pixelsOf(frame))))
    expect(corners).toEqual(Array.from({ length: FRAMES }, () => BLUE))
  },
)
