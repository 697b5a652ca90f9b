import { expect, test } from 'vitest'
import { changedLines, edited, page } from '../fixtures/project.ts'

const clip = (id: string, start: string, duration = '1', rest = '') =>
  `      <p id="${id}" data-start="${start}" data-duration="${duration}"${rest}>${id}</p>`

const change = async (html: string, operation: unknown) => {
  const result = await edited(html, [operation])
  return { ...result, lines: changedLines(html, result.html) }
}

test('move changes the start alone, and says which clips start after it', async () => {
  const html = page([clip('a', '1'), clip('b', 'a + 0.5'), clip('c', '4')].join('\n'))
  const { lines, receipt } = await change(html, { op: 'move', target: '#a', by: 0.25 })
  expect(lines).toEqual({
    gone: ['<p id="a" data-start="1" data-duration="1">a</p>'],
    come: ['<p id="a" data-start="1.25" data-duration="1">a</p>'],
  })
  expect(receipt.windows).toMatchObject([
    { element: '<p id="a">', before: { start: 1, end: 2 }, after: { start: 1.25, end: 2.25 } },
    { element: '<p id="b">', before: { start: 2.5 }, after: { start: 2.75 } },
  ])
  expect(receipt.follows.map(({ text }) => text)).toEqual(['<p id="b"> moves along, from 2.5 s to 2.75 s.'])
})

test.each([
  ['a + 0.5', { by: 0.5 }, 'a + 1'],
  ['a + 0.5', { by: -0.5 }, 'a'],
  ['a', { by: -0.25 }, 'a - 0.25'],
  ['a+0.5', { to: 4 }, 'a + 2'],
  ['a - 9', { to: 0.5 }, 'a - 1.5'],
])('a start "%s" keeps its reference: by %j it is "%s"', async (start, shift, expected) => {
  const html = page([clip('a', '1'), clip('b', start)].join('\n'))
  const { lines } = await change(html, { op: 'move', target: '#b', ...shift })
  expect(lines.come).toEqual([`<p id="b" data-start="${expected}" data-duration="1">b</p>`])
})

test('move takes the clips inside along, those of a composition inside excepted', async () => {
  const body = `      <section id="a" data-start="1" data-duration="3">
        <p id="b" data-start="1.5" data-duration="1">b</p>
        <p id="c" data-start="b" data-duration="1">c</p>
        <p id="d" data-start="late" data-end="5">d</p>
        <div data-composition-id="inner" data-start="2" data-duration="1"><p data-start="0.5">e</p></div>
      </section>
${clip('late', '1', '1')}`
  const { html, receipt } = await change(page(body), { op: 'move', target: '#a', by: 1 })
  expect(html).toContain('<section id="a" data-start="2" data-duration="3">')
  expect(html).toContain('<p id="b" data-start="2.5" data-duration="1">')
  expect(html).toContain('<p id="c" data-start="b" data-duration="1">')
  expect(html).toContain('<p id="d" data-start="late + 1" data-end="6">')
  expect(html).toContain('<div data-composition-id="inner" data-start="3" data-duration="1"><p data-start="0.5">')
  expect(receipt.windows.filter(({ element }) => element === '<p id="c">')).toMatchObject([{ after: { start: 3.5 } }])
})

test('move shifts GSAP positions that are numbers, and names with file and line what it could not follow', async () => {
  const script = `const tl = gsap.timeline({ paused: true })
tl.from('#a', { y: 20, duration: 0.5 }, 1)
  .to('#a .word', { x: 9 }, 1.5 + 0.25)
tl.to('#b', { x: 5 }, 2)
tl.to('#a', { opacity: 0 }, 'out')
tl.to('p', { color: 'red' }, 3)
tl.to('#b', { x: 0 })
gsap.to('#a', { rotation: 9, delay: 1 })
const words = document.querySelectorAll('#a .word')
words.forEach((word, index) => tl.from(word, { scale: 0 }, 1.2 + index * 0.1))
window.__timelines = { main: tl }`
  const body = `      <section id="a" data-start="1" data-duration="2"><i class="word">x</i></section>\n${clip('b', '4')}\n      <p>x</p>`
  const { html, receipt } = await change(page(body, { script }), { op: 'move', target: '#a', by: 0.5 })
  expect(html).toContain("duration: 0.5 }, 1.5)\n  .to('#a .word', { x: 9 }, 2 + 0.25)")
  expect(html).toContain("tl.to('#b', { x: 5 }, 2)")
  expect(html).toContain('delay: 1.5 })')
  expect(html).toContain('scale: 0 }, 1.7 + index * 0.1)')
  expect(receipt.notes.filter(({ kind }) => kind === 'unfollowed').map(({ line, text }) => [line, text])).toEqual([
    [15, 'The animation of #a stays at "out".'],
    [17, 'The animation of #b begins at the end of what its timeline holds, which may move.'],
  ])
})

test('move says of animations of elements inside and outside that they stay', async () => {
  const script = `const tl = gsap.timeline()\ntl.to('.word', { x: 9 }, 1)\nwindow.__timelines = { main: tl }`
  const body = `      <p id="a" class="word" data-start="1" data-duration="2">x</p><i class="word">y</i>`
  const { html, receipt } = await change(page(body, { script }), { op: 'move', target: '#a', by: 0.5 })
  expect(html).toContain("tl.to('.word', { x: 9 }, 1)")
  expect(receipt.notes.map(({ text }) => text)).toEqual([
    'The animation of .word, which is also of elements outside of the clip, stays at 1.',
  ])
})

test('the timeline of a composition counts from its host, so it stays as it is', async () => {
  const script = `const tl = gsap.timeline({ paused: true })\ntl.to('#x', { x: 9 }, 0.5)\nwindow.__timelines['inner'] = tl`
  const body = `      <div id="host" data-composition-id="inner" data-start="1" data-duration="2"><p id="x">x</p></div>`
  const { html, receipt } = await change(page(body, { script }), { op: 'move', target: '#host', by: 0.5 })
  expect(html).toContain('{ x: 9 }, 0.5)')
  expect(html).toContain('data-start="1.5"')
  expect(receipt.notes).toEqual([])
})

test('a child timeline that is about the clip alone moves as a whole', async () => {
  const script = `const child = gsap.timeline()
child.to('#a', { x: 9 }, 0.2)
const tl = gsap.timeline({ paused: true })
tl.add(child, 1)
window.__timelines = { main: tl }`
  const { html } = await change(page(clip('a', '1'), { script }), { op: 'move', target: '#a', by: 0.5 })
  expect(html).toContain('{ x: 9 }, 0.2)')
  expect(html).toContain('tl.add(child, 1.5)')
})

test('trim at the start moves the source of media by its rate; at the end it changes the length', async () => {
  const body = `      <video id="v" src="a.mp4" data-start="1" data-duration="3" data-media-start="2" data-playback-rate="2"></video>
      <audio id="s" src="a.mp3" data-start="1"></audio>
      <p id="old" data-start="0" data-end="2">x</p>`
  const html = page(body)
  const files = { 'a.mp4': '', 'a.mp3': '' }
  const one = await edited(html, [{ op: 'trim', target: '#v', edge: 'start', by: 0.5 }], files)
  expect(one.html).toContain('data-start="1.5" data-duration="2.5" data-media-start="3" data-playback-rate="2"')
  const two = await edited(html, [{ op: 'trim', target: '#v', edge: 'end', to: 3 }], files)
  expect(two.html).toContain('data-start="1" data-duration="2" data-media-start="2"')
  const three = await edited(html, [{ op: 'trim', target: '#s', edge: 'start', by: 0.25 }], files)
  expect(three.html).toContain('<audio id="s" src="a.mp3" data-start="1.25" data-media-start="0.25">')
  const four = await edited(html, [{ op: 'trim', target: '#old', edge: 'end', by: 0.5 }], files)
  expect(four.html).toContain('<p id="old" data-start="0" data-end="2.5">')
  const five = await edited(html, [{ op: 'trim', target: '#root', edge: 'end', by: 1 }], files)
  expect(five.html).toContain('data-duration="7"')
})

test('split makes a second part with its own source and ids; rules, references and later clips follow', async () => {
  const head = '<style>#v { left: 1px } #v .in, p { top: 2px } @media print { #v { top: 0 } }</style>'
  const body = `      <div id="box">
        <video id="v" src="a.mp4" data-start="1" data-duration="3" data-media-start="0.5" data-track-index="2"></video>
      </div>
${clip('next', 'v + 0.25')}`
  const before = page(body, { head })
  const { html, receipt } = await edited(before, [{ op: 'split', target: '#v', at: 2 }], { 'a.mp4': '' })
  expect(changedLines(before, html)).toEqual({
    gone: [
      `<head>${head}</head>`,
      '<video id="v" src="a.mp4" data-start="1" data-duration="3" data-media-start="0.5" data-track-index="2"></video>',
      '<p id="next" data-start="v + 0.25" data-duration="1">next</p>',
    ],
    come: [
      '<head><style>#v, #v-2 { left: 1px } #v .in, p, #v-2 .in { top: 2px } @media print { #v, #v-2 { top: 0 } }</style></head>',
      '<video id="v" src="a.mp4" data-start="1" data-duration="1" data-media-start="0.5" data-track-index="2"></video>',
      '<video id="v-2" src="a.mp4" data-start="2" data-duration="2" data-media-start="1.5" data-track-index="2"></video>',
      '<p id="next" data-start="v-2 + 0.25" data-duration="1">next</p>',
    ],
  })
  expect(receipt.windows).toMatchObject([
    { element: '<video id="v">', after: { start: 1, end: 2 } },
    { element: '<video id="v-2">', before: null, after: { start: 2, end: 4 } },
  ])
})

test('a copy has names of its own inside too, and what refers to them follows', async () => {
  const body = `      <section id="a" data-start="0" data-duration="2" data-track-index="1">
        <svg><defs><linearGradient id="g"></linearGradient></defs><rect fill="url(#g)"></rect><use xlink:href="#g"></use></svg>
        <label for="f">x</label><b id="f" data-start="0.5" data-duration="1">y</b><b data-start="f" data-duration="0.25">z</b>
      </section>
      <p data-start="2" data-duration="1" data-track-index="1">taken</p>`
  const { html } = await change(page(body), { op: 'duplicate', target: '#a' })
  expect(html).toContain('<section id="a-2" data-start="2" data-duration="2" data-track-index="2">')
  expect(html).toContain(
    '<linearGradient id="g-2"></linearGradient></defs><rect fill="url(#g-2)"></rect><use xlink:href="#g-2">',
  )
  expect(html).toContain(
    '<label for="f-2">x</label><b id="f-2" data-start="2.5" data-duration="1">y</b><b data-start="f-2" data-duration="0.25">',
  )
})

test('remove takes the line of the element, and frees the clips that start after it', async () => {
  const before = page([clip('a', '1'), clip('b', 'a + 0.5'), clip('c', '4')].join('\n'))
  const { html } = await edited(before, [{ op: 'remove', target: '#a' }])
  expect(changedLines(before, html)).toEqual({
    gone: [
      '<p id="a" data-start="1" data-duration="1">a</p>',
      '<p id="b" data-start="a + 0.5" data-duration="1">b</p>',
    ],
    come: ['<p id="b" data-start="2.5" data-duration="1">b</p>'],
  })
  expect(html.split('\n')).toHaveLength(before.split('\n').length - 1)
})

test('each part of a split sound keeps the fade at its edge, and a fade that is cut is said', async () => {
  const body = (length: string) =>
    `<audio id="a" src="a.wav" data-start="1" data-duration="${length}" data-fade-in="0.5" data-fade-out="1 linear"></audio>`
  const split = async (length: string) =>
    edited(page(body(length)), [{ op: 'split', target: '#a', at: 2 }], { 'a.wav': '' })
  const { html, receipt } = await split('3')
  const [first = '', second = ''] = html.split('\n').filter((line) => line.includes('<audio'))
  expect([first.includes('data-fade-in="0.5"'), first.includes('data-fade-out')]).toEqual([true, false])
  expect([second.includes('data-fade-in'), second.includes('data-fade-out="1 linear"')]).toEqual([false, true])
  expect(receipt.notes).toEqual([])
  expect((await split('1.5')).receipt.notes).toMatchObject([
    { text: 'A fade of <audio id="a"> is cut at 2 s, which can be heard.' },
  ])
})

test('remove says that a composition without a length may have been as long as the clip', async () => {
  const stated = page([clip('a', '1'), clip('b', '0')].join('\n'))
  const { receipt } = await edited(stated.replace(' data-duration="6"', ''), [{ op: 'remove', target: '#a' }])
  expect(receipt.notes).toMatchObject([
    {
      kind: 'structure',
      line: 5,
      text: '<div id="root"> has no data-duration, and may have been as long as <p id="a">.',
    },
  ])
  expect((await edited(stated, [{ op: 'remove', target: '#a' }])).receipt.notes).toEqual([])
})

test.each([
  ['front', ['b', 'c', 'a']],
  ['forward', ['b', 'a', 'c']],
  ['back', ['a', 'b', 'c']],
])('order %s draws the elements as %j', async (to, expected) => {
  const before = page([clip('a', '0'), clip('b', '1'), clip('c', '2')].join('\n'))
  const { html, receipt } = await edited(before, [{ op: 'order', target: '#a', to }])
  const after = html === '' ? before : html
  expect([...after.matchAll(/<p id="(\w)"/g)].map(([, id]) => id)).toEqual(expected)
  expect(receipt.changes).toHaveLength(to === 'back' ? 0 : 1)
})

test.each([
  [
    { op: 'split', target: '#a', at: 0.5 },
    'The animation of elements that only its script knows is not of the second part, unless its selector fits it.',
  ],
  [
    { op: 'remove', target: '#a' },
    'The animation of elements that only its script knows may have nothing left to move.',
  ],
])(
  '%j says of animations whose elements only their script knows that it leaves them as they are',
  async (operation, text) => {
    const script = "for (const name of names) gsap.to('#' + name, { x: 9 })"
    const { receipt } = await edited(page(clip('a', '0'), { script }), [operation])
    expect(receipt.notes).toMatchObject([{ kind: 'unfollowed', line: 9, text }])
  },
)

test.each([
  [{ op: 'remove', target: '#a' }, 'A script uses "p" of <p id="a">: it will not find the element.'],
  [{ op: 'order', target: '#a', to: 'front' }, 'A script looks "p" up, and may find another element first.'],
])('%j says which scripts look elements up by their tags', async (operation, text) => {
  const script = `const first = document.querySelector('p')\nconst tag = 'p'`
  const body = [clip('a', '0'), clip('b', '1')].join('\n')
  const { receipt } = await edited(page(body, { script }), [operation])
  expect(receipt.notes).toMatchObject([{ kind: 'script', line: 10, text }])
})

test.each(['const { a: first, b } = window', 'window.a.muted = true', "globalThis['a'].muted = true"])(
  'split says that the script "%s" uses the element by the name of its id',
  async (line) => {
    const script = `const one = 1\n${line}\nother.a = 2`
    const { receipt } = await edited(page(clip('a', '0'), { script }), [{ op: 'split', target: '#a', at: 0.5 }])
    expect(receipt.notes).toMatchObject([
      { kind: 'script', line: 10, text: expect.stringContaining('"#a" of <p id="a">') },
    ])
  },
)

test('track keeps the older attribute where that is written', async () => {
  const body = [clip('a', '0', '1', ' data-layer="2"'), clip('b', '1')].join('\n')
  expect((await change(page(body), { op: 'track', target: '#a', track: 3 })).html).toContain('data-layer="3"')
  expect((await change(page(body), { op: 'track', target: '#b', track: 3 })).html).toContain(
    '<p id="b" data-start="1" data-duration="1" data-track-index="3">',
  )
})

const host = '<div id="host" data-composition-src="scene.html" data-start="1" data-duration="3"></div>'

test.each([
  ['a start before 0', { op: 'move', target: '#a', by: -2 }, 'VID_EDIT_REFUSED', 'start at -1 s'],
  ['an element without a time', { op: 'move', target: '#plain', by: 1 }, 'VID_EDIT_REFUSED', 'no data-start'],
  ['the root', { op: 'remove', target: '#root' }, 'VID_EDIT_REFUSED', 'composition itself'],
  ['nothing left', { op: 'trim', target: '#a', edge: 'end', to: 0.5 }, 'VID_EDIT_REFUSED', 'nothing would be left'],
  ['a time outside', { op: 'split', target: '#a', at: 4 }, 'VID_EDIT_REFUSED', '4 s is not inside of it (1–2 s)'],
  [
    'the start of a host',
    { op: 'trim', target: '#host', edge: 'start', by: 1 },
    'VID_EDIT_REFUSED',
    'counts from its start',
  ],
  ['a split of a host', { op: 'split', target: '#host', at: 2 }, 'VID_EDIT_REFUSED', 'counts from its start'],
  ['a start of a loop', { op: 'trim', target: '#loop', edge: 'start', by: 0.5 }, 'VID_EDIT_REFUSED', 'it loops'],
  [
    'before the source',
    { op: 'trim', target: '#video', edge: 'start', by: -0.5 },
    'VID_EDIT_REFUSED',
    'has only 0 s before',
  ],
  ['a taken id', { op: 'split', target: '#a', at: 1.5, id: 'root' }, 'VID_EDIT_REFUSED', 'id "root" is taken'],
  ['a taken track', { op: 'track', target: '#a', track: 5 }, 'VID_EDIT_INVALID', 'overlaps'],
  ['an element that is not there', { op: 'move', target: '#b', by: 1 }, 'VID_EDIT_NOT_FOUND', '#b'],
  ['an id that stands twice', { op: 'move', target: '#twice', by: 1 }, 'VID_EDIT_AMBIGUOUS', '2 elements'],
  ['an operation without its field', { op: 'move', target: '#a' }, 'VID_EDIT_OPERATION', 'either by or to'],
  ['a field that it lacks', { op: 'move', target: '#a', by: 1, x: 2 }, 'VID_EDIT_OPERATION', 'x'],
  ['another operation', { op: 'blur', target: '#a' }, 'VID_EDIT_OPERATION', 'op must be one of move'],
])('%s is refused', async (_, operation, code, words) => {
  const body = `${clip('a', '1')}
      <p id="plain">x</p><p id="twice">1</p><p id="twice">2</p>
      <video id="loop" src="a.mp4" loop data-start="0" data-duration="3"></video>
      <video id="video" src="a.mp4" data-start="1" data-duration="3"></video>
      <p data-start="0" data-duration="3" data-track-index="5">x</p>
      ${host}`
  const scene = '<template><div data-composition-id="scene" data-width="10" data-height="10"><p>x</p></div></template>'
  const act = edited(page(body), [operation], { 'scene.html': scene, 'a.mp4': '' })
  await expect(act).rejects.toMatchObject({ code, message: expect.stringContaining(words) })
})
