import { expect, test } from 'vitest'
import { edited, makeProject, page, TESTER } from '../fixtures/project.ts'
import { openEdit } from '../index.ts'

const scene = (id: string, body = '<p id="title" data-start="0" data-duration="1">x</p>') =>
  `<template><div data-composition-id="${id}" data-width="320" data-height="180">${body}</div></template>`

const hosts = (...files: string[]) =>
  page(
    files
      .map((file, index) => `<div data-composition-src="${file}" data-start="${index}" data-duration="1"></div>`)
      .join('\n'),
  )

test('an id is found in embedded files; one that stands in two of them needs the file', async () => {
  const files = { 'one.html': scene('one'), 'two.html': scene('two') }
  const operation = { op: 'text', target: '#title', text: 'y' }
  await expect(edited(hosts('one.html', 'two.html'), [operation], files)).rejects.toMatchObject({
    code: 'VID_EDIT_AMBIGUOUS',
    message: expect.stringContaining('<p id="title"> in one.html:1, <p id="title"> in two.html:1'),
  })
  const { textOf } = await edited(hosts('one.html', 'two.html'), [{ ...operation, target: 'two.html#title' }], files)
  expect(textOf('two.html')).toContain('data-duration="1">y</p>')
  expect(textOf('one.html')).toBe('')
})

test('a file that is embedded twice is changed once, and the receipt says that it shows twice', async () => {
  const { receipt, textOf } = await edited(
    hosts('one.html', 'one.html'),
    [{ op: 'move', target: '#title', by: 0.25 }],
    {
      'one.html': scene('one'),
    },
  )
  expect(textOf('one.html')).toContain('data-start="0.25"')
  expect(receipt.notes).toContainEqual({
    kind: 'shared',
    file: 'one.html',
    line: 1,
    text: 'one.html is embedded 2 times; the change shows in each.',
  })
})

test('media of an embedded file is not moved to a time that would be read as one of the whole video', async () => {
  const files = {
    'one.html': scene('one', '<video id="v" src="a.mp4" data-start="0" data-duration="0.5"></video>'),
    'a.mp4': '',
  }
  const html = page('<div data-composition-src="one.html" data-start="2" data-duration="3"></div>')
  const { textOf } = await edited(html, [{ op: 'move', target: '#v', by: 1 }], files)
  expect(textOf('one.html')).toContain('data-start="1"')
  await expect(edited(html, [{ op: 'move', target: '#v', by: 1.75 }], files)).rejects.toMatchObject({
    code: 'VID_EDIT_REFUSED',
    message: expect.stringContaining('would be read as seconds of the whole video'),
  })
})

test('a new sound of an embedded file is not put at a time that would be read as one of the whole video', async () => {
  const sound = (start: string) => `<audio id="sound" src="a.wav" data-start="${start}" data-duration="1"></audio>`
  const host = page('<div data-composition-src="one.html" data-start="1.5" data-duration="0.75"></div>')
  const change = (start: string, operation: object) =>
    edited(host, [operation], { 'one.html': scene('one', sound(start)), 'a.wav': '' })
  const target = '#sound'
  await expect(change('0.25', { op: 'duplicate', target })).rejects.toMatchObject({
    code: 'VID_EDIT_REFUSED',
    message: expect.stringContaining('would be read as seconds of the whole video'),
  })
  expect((await change('0.25', { op: 'duplicate', target, at: 0.375 })).textOf('one.html')).toContain('"0.375"')
  // One that is timed so already is copied as it is.
  expect((await change('1.5', { op: 'duplicate', target, at: 1.75 })).textOf('one.html')).toContain('"1.75"')
})

test('a place by path or line fits one version of its file', async () => {
  const folder = await makeProject({
    'index.html': page('<p data-start="0">a</p>\n<p data-start="1">b</p><i>c</i>\n<i>d</i><i>e</i>'),
  })
  const edit = await openEdit(folder)
  const digest = (await edit.digest('index.html')) ?? ''
  const [, second] = await edit.clips()
  expect(second?.address).toEqual({ file: 'index.html', path: 'html/body/div/p[2]', digest })
  const stage = (target: unknown, text: string) => edit.stage([{ op: 'text', target, text }], { who: TESTER })
  await expect(stage({ file: 'index.html', line: 8, digest }, 'y')).rejects.toMatchObject({
    code: 'VID_EDIT_AMBIGUOUS',
  })
  await expect(stage({ file: 'index.html', line: 2, digest }, 'y')).rejects.toThrow('no text of its own')
  await expect(stage({ file: 'gone.html', line: 2, digest }, 'y')).rejects.toMatchObject({ code: 'VID_EDIT_NOT_FOUND' })
  await stage({ file: 'index.html', line: 7, digest }, 'B')
  await expect(stage(second?.address, 'y')).rejects.toMatchObject({ code: 'VID_EDIT_STALE' })
  await stage((await edit.clips())[1]?.address, 'C')
  expect(edit.diff()).toContain('+<p data-start="1">C</p><i>c</i>')
})

test.each([
  ["const card = document.createElement('p')\ncard.id = 'card-3'", 'index.html:10'],
  [`for (let n = 0; n < 9; n += 1) {\n  make(\`<p id="card-\${n}">x</p>\`)\n}`, 'index.html:10'],
  ["const n = 3; x.setAttribute('id', 'card-' + n)", 'index.html:9'],
])('an element that a script makes is refused with its place: %s', async (script, place) => {
  await expect(edited(page('', { script }), [{ op: 'remove', target: '#card-3' }])).rejects.toMatchObject({
    code: 'VID_EDIT_SCRIPTED',
    message: `#card-3 is made by ${place} when the page runs.`,
  })
})

test('an element of a template that a script clones is refused with the place of the template', async () => {
  const body = '<template>\n<p id="card">x</p>\n</template><p id="cart">y</p>'
  await expect(edited(page(body), [{ op: 'remove', target: '#card' }])).rejects.toMatchObject({
    code: 'VID_EDIT_SCRIPTED',
    message: expect.stringContaining('index.html:7'),
  })
  await expect(edited(page(body), [{ op: 'remove', target: '#carp' }])).rejects.toMatchObject({
    code: 'VID_EDIT_NOT_FOUND',
    hint: expect.stringContaining('#car'),
  })
})

test('inspect says what the source holds of an element, and where its styles come from', async () => {
  const head = '<style>#title { color: red }\nh1, p { top: 0 }</style>'
  const body = `<h1 id="title" data-start="1" data-duration="2" style="left: 1px">x</h1>`
  const folder = await makeProject({ 'index.html': page(body, { head, script: "gsap.to('#title', { x: 1 })" }) })
  const facts = await (await openEdit(folder)).inspect('#title')
  expect(facts).toMatchObject({
    element: '<h1 id="title">',
    line: 7,
    text: { value: 'x', variable: null, reason: null },
    styles: [
      { property: 'left', value: '1px', from: 'inline', file: 'index.html', line: 7 },
      { property: 'color', value: 'red', from: '#title', file: 'index.html', line: 3 },
      { property: 'top', value: '0', from: 'h1, p', file: 'index.html', line: 4 },
    ],
    clip: { start: 1, end: 3, composition: 'main', written: '1' },
    scripts: [{ file: 'index.html', line: 10, selector: '#title' }],
    instances: 1,
    locked: null,
  })
})

test('a path finds the only element of its tag with the number 1 or without, and needs no digest', async () => {
  const html = page('<section><p>one</p></section>\n<p>two</p><p>three</p>')
  const edit = await openEdit(await makeProject({ 'index.html': html }))
  const inspect = (path: string) => edit.inspect({ file: 'index.html', path })
  for (const path of ['html/body/div/section/p', 'html[1]/body/div[1]/section[1]/p[1]', 'html/body/div[1]/section/p'])
    expect((await inspect(path)).text.value, path).toBe('one')
  expect((await inspect('html/body/div/p[2]')).text.value).toBe('three')
  for (const path of ['html/body/div[2]', 'html/body/div/p', 'html/body/div/section[1][1]'])
    await expect(inspect(path), path).rejects.toMatchObject({ code: 'VID_EDIT_NOT_FOUND' })
})

test('a place of another version is refused with the digest of this one, which is then taken', async () => {
  const edit = await openEdit(await makeProject({ 'index.html': page('<p>one</p>') }))
  const target = { file: 'index.html', path: 'html/body/div/p', digest: '0'.repeat(64) }
  const refusal = await edit.inspect(target).then(
    () => null,
    (thrown: { code: string; hint: string }) => thrown,
  )
  expect(refusal).toMatchObject({ code: 'VID_EDIT_STALE' })
  const digest = /[\da-f]{64}/.exec(refusal?.hint ?? '')?.[0] ?? ''
  expect((await edit.inspect({ ...target, digest })).text.value).toBe('one')
})
