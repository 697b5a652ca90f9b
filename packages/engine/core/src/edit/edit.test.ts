import { expect, test } from 'vitest'
import { readEdit } from '../index.ts'

const page = (
  scenes: string,
  { head = '', script = "gsap.timeline().from('#a h1', { x: 9 })", attributes = '' } = {},
) => `<!doctype html>
<html><head><style>.scene { position: absolute }</style>${head}</head>
<body><div data-composition-id="film" data-width="320" data-height="180" data-duration="9" ${attributes}>${scenes}</div>
<script>${script}</script></body></html>`

const scenes = (word = 'Alpha', rest = '') =>
  `<div id="a" data-start="0" data-duration="2.5"><h1>${word}</h1>${rest}</div>
   <div id="b" data-start="2.5" data-end="6"><p data-start="1" style="color: red">Bravo</p></div>`

const reach = (before: string, after: string) => readEdit(before, after, { isHarmless: (src) => src === 'gsap.js' })

test("an edit of a text in a timed child of the root is visible in that child's time range", () => {
  expect(reach(page(scenes()), page(scenes('Omega')))).toEqual({ windows: [{ start: 0, end: 2.5 }] })
  expect(reach(page(scenes()), page(scenes().replace('Bravo', 'Bingo')))).toEqual({
    windows: [{ start: 2.5, end: 6 }],
  })
  expect(reach(page(scenes()), page(scenes().replace('red', 'blue')))).toEqual({
    windows: [{ start: 2.5, end: 6 }],
  })
})

test('an edit of comments is never visible', () => {
  expect(reach(page(scenes()), page(scenes('Alpha', '<!-- said twice -->')))).toEqual({ windows: [] })
})

test('a comment may come, go and stand on a line of its own, unless a script could see it', () => {
  const before = page(scenes(), { head: '<link rel="stylesheet" href="more.css">' })
  const after = before
    .replace('   <div id="b"', '   <!-- then -->\n   <div id="b"')
    .replace('Bravo', 'Bra<!-- and -->vo')
  expect(reach(before, after)).toEqual({ windows: [] })
  const script = 'document.body.firstChild.remove()'
  expect(reach(page(scenes(), { script }), page(scenes('Alpha', '<!-- x -->'), { script }))).toEqual({
    reason: 'a script uses firstChild',
  })
  const head = '<style>div { white-space: pre }</style>'
  expect(reach(page(scenes(), { head }), page(scenes().replace('\n', '\n\n'), { head }))).toEqual({
    reason: 'text changed outside of all timed elements',
  })
})

const edited = (from: string, to: string, options?: Parameters<typeof page>[1]) =>
  reach(page(scenes(), options), page(scenes().replace(from, to), options))

test.each([
  ['an element that came', () => edited('</h1>', '</h1><h2>More</h2>'), 'elements or text nodes were added or removed'],
  ['a word where there was none', () => edited('<h1>Alpha', '<h1>'), 'elements or text nodes were added or removed'],
  ['another window', () => edited('2.5"', '3"'), 'the attribute data-duration of <div id="a"> changed'],
  ['another class', () => edited('<h1>', '<h1 class="x">'), 'the attribute class of <h1> changed'],
  [
    'a word outside of all windows',
    () => reach(page(`Now ${scenes()}`), page(`Then ${scenes()}`)),
    'text changed outside of all timed elements',
  ],
  [
    'a style of the root',
    () => reach(page(scenes()), page(scenes(), { attributes: 'style="opacity: 0.5"' })),
    'the attribute style of <div> changed',
  ],
  [
    'a timed element in another one that is not',
    () => reach(page(`<main>${scenes()}</main>`), page(`<main>${scenes('Omega')}</main>`)),
    'text changed outside of all timed elements',
  ],
  [
    'another script',
    () => reach(page(scenes()), page(scenes(), { script: 'one()' })),
    'the content of a <script> changed',
  ],
  [
    'another style sheet',
    () => reach(page(scenes()), page(scenes(), { head: '<style>p { top: 1px }</style>' })),
    'elements or text nodes were added or removed',
  ],
  [
    'a script that reads words',
    () => edited('Alpha', 'Omega', { script: 'fit(document.querySelector("h1").textContent)' }),
    'a script uses textContent',
  ],
  [
    'a script that measures',
    () => edited('Alpha', 'Omega', { script: 'new ResizeObserver(draw)' }),
    'a script uses ResizeObserver',
  ],
  [
    'a script in disguise',
    () => edited('Alpha', 'Omega', { script: 'a["text" + "Content"]' }),
    'a script uses ["text" +',
  ],
  [
    'a script of another file',
    () => edited('Alpha', 'Omega', { head: '<script src="own.js"></script>' }),
    'the script own.js is not known',
  ],
  [
    'a script in an attribute',
    () => edited('Alpha', 'Omega', { attributes: 'onclick="go()"' }),
    '<div> has a script in onclick',
  ],
  [
    'a style beside a script that uses styles',
    () => edited('red', 'blue', { script: 'a.style.color = b.style.color' }),
    'a script uses style',
  ],
  [
    'a rule that looks into elements',
    () => edited('Alpha', 'Omega', { head: '<style>body:has(h1) { top: 0 }</style>' }),
    'a style uses :has(',
  ],
  [
    'a box that is none',
    () => edited('Alpha', 'Omega', { head: '<style>#a { display: contents }</style>' }),
    'a style uses contents',
  ],
  [
    'a style sheet in another file',
    () => edited('Alpha', 'Omega', { head: '<link rel="stylesheet" href="a.css">' }),
    'the page has a style sheet in another file',
  ],
  [
    'a frame',
    () => edited('Alpha', 'Omega', { head: '</head><iframe src="b.html"></iframe>' }),
    'the page has a <iframe>',
  ],
  [
    'text of no fixed direction',
    () => edited('Alpha', 'Omega', { attributes: 'dir="auto"' }),
    'the page has text of no fixed direction',
  ],
  [
    'a start that waits for another element',
    () =>
      reach(
        page('<p id="c" data-start="a + 1" data-duration="1">One</p>'),
        page('<p id="c" data-start="a + 1" data-duration="1">Two</p>'),
      ),
    'the start of <p id="c"> is not a number',
  ],
  [
    'a word in a drawing',
    () =>
      reach(page(scenes('Alpha', '<svg><text>One</text></svg>')), page(scenes('Alpha', '<svg><text>Two</text></svg>'))),
    'the content of a <svg> changed',
  ],
])('%s may be visible at any time', (_, act, reason) => {
  expect(act()).toEqual({ reason })
})

test('known libraries and scripts that only write do not extend the time range', () => {
  const options = {
    head: '<script src="gsap.js"></script>',
    script: "document.querySelector('#b p').replaceChildren('x'); a.style.left = '1px'",
  }
  expect(edited('Alpha', 'Omega', options)).toEqual({ windows: [{ start: 0, end: 2.5 }] })
})
