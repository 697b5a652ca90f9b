import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changedLines, edited, makeProject, page, TESTER, textAt } from '../fixtures/project.ts'
import { openEdit } from '../index.ts'

const title = '      <h1 id="title" data-start="0" data-duration="2" data-track-index="1">Hello</h1>'

const FILES = { 'a.mp4': '', 'logo.png': '', 'sound.mp3': '' }

const style = 'position: absolute; left: 0; top: 0; width: 320px; height: 180px; object-fit: contain'

test.each([
  [
    'a video',
    { file: 'a.mp4', start: 2.5, duration: 3 },
    `<video id="a" src="a.mp4" data-start="2.5" data-duration="3" data-track-index="1" style="${style}"></video>`,
  ],
  [
    'a sound, for as long as it is, on a track of its own',
    { file: 'sound.mp3', start: 1 },
    '<audio id="sound" src="sound.mp3" data-start="1" data-track-index="2"></audio>',
  ],
  [
    'a picture',
    { file: 'logo.png', start: 0, duration: 1, track: 7, id: 'mark' },
    `<img id="mark" src="logo.png" data-start="0" data-duration="1" data-track-index="7" style="${style}">`,
  ],
  [
    'a text with what HTML would read otherwise',
    { text: 'a < b &amp; "c"\n{{name}} & d', start: 4 },
    '<div id="text" data-start="4" data-track-index="1" style="position: absolute; left: 0; top: 81px; width: 320px; margin: 0; font-size: 15px; line-height: 1.2; text-align: center">a &lt; b &amp;amp; "c"<br>{{name}} & d</div>',
  ],
])('insert adds %s as one line after its neighbour', async (_, fields, expected) => {
  const before = page(title)
  const { html, receipt } = await edited(before, [{ op: 'insert', ...fields }], FILES)
  expect(changedLines(before, html)).toEqual({ gone: [], come: [expected] })
  expect(html).toContain(`${title}\n      ${expected}\n    </div>`)
  expect(receipt.windows).toMatchObject([{ before: null, after: { start: fields.start } }])
  expect(receipt.files).toHaveLength(1)
})

test('insert adds a composition by its address from the file that embeds it', async () => {
  const scene = (body: string) =>
    `<template><div data-composition-id="s" data-width="64" data-height="36">${body}</div></template>`
  const files = {
    'scenes/one.html': scene('\n  <p id="p" data-start="0">x</p>\n'),
    'scenes/two words.html': scene('<p>y</p>'),
    'scenes/scenes/two words.html': scene('<p>z</p>'),
    'two words.html': scene('<p>other</p>'),
    'media/a b#.mp4': '',
  }
  const before = page('<div data-composition-src="scenes/one.html" data-start="0" data-duration="4"></div>')
  const result = await edited(
    before,
    [
      { op: 'insert', target: 'scenes/one.html#p', place: 'after', file: 'media/a b#.mp4', start: 1, duration: 1 },
      { op: 'insert', target: 'scenes/one.html#p', place: 'before', file: 'scenes/two words.html', start: 0 },
      { op: 'insert', file: 'scenes/two words.html', start: 2, duration: 1 },
    ],
    files,
  )
  const one = result.textOf('scenes/one.html')
  expect(one).toContain('src="../media/a%20b%23.mp4"')
  // Beside the embedding file, another file of this name would be tried first: the project's own.
  expect(one).toContain('data-composition-src="scenes/two%20words.html"')
  expect(one.indexOf('id="two-words"')).toBeLessThan(one.indexOf('id="p"'))
  expect(result.html).toContain('<div id="two-words-2" data-composition-src="scenes/two%20words.html" data-start="2"')
})

test('insert takes the indents and line ends of what is there, also where nothing is', async () => {
  const insert = async (html: string, fields = {}) =>
    (await edited(html, [{ op: 'insert', text: 'x', id: 'n', start: 0, ...fields }])).html.replace(/ style="[^"]*"/, '')
  const root = '<div id="root" data-composition-id="m" data-width="10" data-height="10" data-duration="1">'
  const clip = '<div id="n" data-start="0">x</div>'
  expect(await insert(`<body>\n\t${root}\n\t</div>\n</body>`)).toBe(`<body>\n\t${root}\n\t\t${clip}\n\t</div>\n</body>`)
  expect(await insert(`<body>\r\n    ${root}</div>\r\n</body>`)).toBe(
    `<body>\r\n    ${root}\r\n        ${clip}\r\n    </div>\r\n</body>`,
  )
  expect(await insert(`<p>a</p>${root}{{> partial}}</div>`)).toBe(`<p>a</p>${root}{{> partial}}${clip}</div>`)
  expect(await insert(`${root}\n  <i>a</i><b>b</b>\n  <script>1</script>\n</div>`)).toBe(
    `${root}\n  <i>a</i><b>b</b>${clip}\n  <script>1</script>\n</div>`,
  )
  expect(await insert(`${root}\n  <i>a</i>\n  {{> partial}}\n</div>`, { place: 'first' })).toBe(
    `${root}\n  ${clip}\n  <i>a</i>\n  {{> partial}}\n</div>`,
  )
  expect(await insert(`${root}<i id=a>a</i><b>b</b>`, { target: '#a', place: 'after' })).toBe(
    `${root}<i id=a>a</i>${clip}<b>b</b>`,
  )
})

const odd = page(
  `\t<p id=a class=x data-start=1 data-duration=1>a\n\t\t{{> partial}}</p><!-- {{ x }} -->\n\t<svg id=s viewBox='0 0 9 9'><path d="M0 0"/></svg>\n\t{{#if y}}`,
  { html: ' lang=en' },
)

test.each([
  ['with tabs, attributes without quotes, SVG and text of another program', (text: string) => text],
  ['with line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
  ['without end tags and a line end', (text: string) => text.slice(0, text.indexOf('    </div>')).trimEnd()],
  ['with a byte order mark', (text: string) => `\uFEFF${text}`],
  ['with a mark and line ends of Windows', (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`],
])('insert into a file %s adds one line, and undo restores its bytes', async (_, written) => {
  const before = written(odd)
  const folder = await makeProject({ 'index.html': before, 'a.mp4': '' })
  const edit = await openEdit(folder)
  await edit.stage([{ op: 'insert', target: '#s', place: 'after', file: 'a.mp4', start: 2 }], { who: TESTER })
  await edit.write()
  const after = await textAt(folder, 'index.html')
  const [, line = ''] = /((?:\r\n|\n)\t<video id="a-2"[^>]*><\/video>)/.exec(after) ?? []
  expect(line.startsWith('\r')).toBe(before.includes('\r'))
  expect(after.replace(line, '')).toBe(before)
  expect(after).toContain(`</svg>${line}`)
  await edit.undo(TESTER)
  expect(await textAt(folder, 'index.html')).toBe(before)
})

test('ids are unique, also beside names that rules and scripts use, and names of any script', async () => {
  const insert = async (file: string, head = '', script = '') => {
    const { html } = await edited(page(title, { head, script }), [{ op: 'insert', file, start: 5 }], { [file]: '' })
    return /<video id="([^"]*)"/.exec(html)?.[1]
  }
  expect(await insert('title.mp4')).toBe('title-2')
  expect(await insert('Löwe & Co 1.MP4')).toBe('lo-we-co-1')
  expect(await insert('日本.mp4')).toBe('video')
  expect(await insert('7-take.mp4')).toBe('take')
  expect(await insert('walk.mp4', '<style>#walk { color: red }</style>')).toBe('walk-2')
  expect(await insert('walk.mp4', '', "document.getElementById('walk')")).toBe('walk-2')
})

test('a file from elsewhere is copied once, never over another one, and referenced where the project has it', async () => {
  const outside = await makeProject({ 'take.mp4': '\0new', 'other/take.mp4': '\0another', 'same.mp4': '\0film' })
  const folder = await makeProject({ 'index.html': page(title), 'assets/take.mp4': '\0old', 'deep/er/a.mp4': '\0film' })
  const edit = await openEdit(folder)
  const insert = (path: string, start: number) => ({
    op: 'insert',
    import: join(outside, path),
    start,
    duration: 0.5,
    track: 3,
  })
  const receipt = await edit.stage(
    [insert('take.mp4', 0), insert('take.mp4', 1), insert('other/take.mp4', 2), insert('same.mp4', 3)],
    { who: TESTER },
  )
  expect(receipt.files.map(({ file }) => file)).toEqual(['index.html', 'assets/take-2.mp4', 'assets/take-3.mp4'])
  await edit.write()
  const html = await textAt(folder, 'index.html')
  expect([...html.matchAll(/src="([^"]*)"/g)].map(([, src]) => src)).toEqual([
    'assets/take-2.mp4',
    'assets/take-2.mp4',
    'assets/take-3.mp4',
    'deep/er/a.mp4',
  ])
  expect(await textAt(folder, 'assets/take.mp4')).toBe('\0old')
  expect(await textAt(folder, 'assets/take-2.mp4')).toBe('\0new')
  await edit.undo(TESTER)
  expect(await textAt(folder, 'index.html')).toBe(page(title))
  await expect(textAt(folder, 'assets/take-2.mp4')).rejects.toThrow('ENOENT')
  await edit.redo(TESTER)
  expect(await textAt(folder, 'assets/take-3.mp4')).toBe('\0another')
})

test('an import whose place another program took before it was written is a conflict, and nothing is written', async () => {
  const outside = await makeProject({ 'take.mp4': 'new' })
  const folder = await makeProject({ 'index.html': page(title) })
  const edit = await openEdit(folder)
  await edit.stage([{ op: 'insert', import: join(outside, 'take.mp4'), start: 0 }], { who: TESTER })
  await mkdir(join(folder, 'assets'))
  await symlink(join(outside, 'take.mp4'), join(folder, 'assets/take.mp4'))
  await expect(edit.write()).rejects.toMatchObject({ code: 'VID_EDIT_CONFLICT' })
  expect(await textAt(folder, 'index.html')).toBe(page(title))
})

test('an operation may name the element that one before it has inserted', async () => {
  const { html } = await edited(
    page(title),
    [
      { op: 'insert', file: 'a.mp4', start: 1, id: 'walk', track: 2 },
      { op: 'volume', target: '#walk', volume: 0.5 },
    ],
    FILES,
  )
  expect(html).toContain('data-volume="0.5"')
})

test('the receipt says when a clip is not shown for as long as it lasts, and which rules count siblings', async () => {
  const body = '      <section id="s" data-start="1" data-duration="2"><i>x</i></section>'
  const head = '<style>i:last-child { color: red }</style>'
  const { receipt } = await edited(page(body, { head }), [
    { op: 'insert', target: '#s', text: 'a', start: 2, duration: 2 },
    { op: 'insert', text: 'b', start: 7 },
  ])
  expect(receipt.notes.map(({ text }) => text)).toEqual([
    '<div id="text"> is shown only while <section id="s"> is, from 1 s to 3 s.',
    'The rule "i:last-child" depends on the order of elements.',
    '<div id="text-2"> starts at 7 s; the composition ends at 6 s.',
  ])
})

const body = `${title}
      <svg id="svg"><g id="g"></g></svg><p id="p">x</p><b id="bound" data-var-text="v">y</b><table><tr id="row"></tr></table>
      <div id="host" data-composition-src="scene.html" data-start="0" data-duration="1"></div><ul><li id="li">not closed</ul>`

const refused = 'VID_EDIT_REFUSED'

test.each([
  ['a file outside', { file: '../x.mp4' }, 'VID_EDIT_PATH'],
  ['a file by an absolute path', { file: '/etc/passwd', kind: 'video' }, 'VID_EDIT_PATH'],
  ['a hidden file', { file: '.git/x.mp4' }, 'VID_EDIT_PATH'],
  ['a folder', { file: 'media', kind: 'video' }, 'VID_EDIT_PATH'],
  ['a file through a link that leaves the project', { file: 'link.mp4' }, 'VID_EDIT_PATH'],
  ['a file with a backslash', { file: 'media\\a.mp4' }, 'VID_EDIT_PATH'],
  ['a missing file', { file: 'none.mp4' }, 'VID_EDIT_PATH'],
  ['a name of a device', { file: 'media/nul.mp4' }, 'VID_EDIT_PATH'],
  ['an import of a device', { import: '/dev/zero', kind: 'video' }, 'VID_EDIT_PATH'],
  ['an import of a folder', { import: '/tmp', kind: 'video' }, 'VID_EDIT_PATH'],
  ['a file of another kind', { file: 'notes.txt' }, refused],
  ['an import of a composition', { import: '/tmp/x.html' }, refused],
  ['the composition itself', { file: 'index.html' }, 'VID_EDIT_INVALID'],
  ['a page that is no composition', { file: 'page.html' }, 'VID_EDIT_INVALID'],
  ['a taken id', { text: 'x', id: 'title' }, refused],
  ['a taken track', { text: 'x', track: 1 }, 'VID_EDIT_INVALID'],
  ['an SVG', { text: 'x', target: '#g' }, refused],
  ['a paragraph', { text: 'x', target: '#p' }, refused],
  ['a text that is a variable', { text: 'x', target: '#bound' }, refused],
  ['a table', { text: 'x', target: '#row' }, refused],
  ['an embedded composition', { text: 'x', target: '#host' }, refused],
  ['beside the composition', { text: 'x', target: '#root', place: 'after' }, refused],
  ['after an element that is not closed', { text: 'x', target: '#li', place: 'after' }, 'VID_EDIT_MALFORMED'],
  ['nothing', {}, 'VID_EDIT_OPERATION'],
  ['two things', { text: 'x', file: 'a.mp4' }, 'VID_EDIT_OPERATION'],
  ['no time at all', { text: 'x', duration: 0 }, 'VID_EDIT_OPERATION'],
])('insert of %s is refused', async (_, fields, code) => {
  const outside = await makeProject({ 'film.mp4': 'x' })
  const folder = await makeProject({
    'index.html': page(body),
    'scene.html': '<template><div data-composition-id="s" data-width="9" data-height="9"><p>x</p></div></template>',
    'page.html': '',
    'notes.txt': '',
    'a.mp4': '',
    'media/nul.mp4': '',
    '.git/x.mp4': '',
  })
  await symlink(join(outside, 'film.mp4'), join(folder, 'link.mp4'))
  const edit = await openEdit(folder)
  const staging = edit.stage([{ op: 'insert', start: 0, ...fields }], { who: TESTER })
  await expect(staging).rejects.toMatchObject({ code })
  expect(edit.steps()).toEqual([])
})
