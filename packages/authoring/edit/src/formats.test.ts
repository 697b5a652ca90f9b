import { expect, test } from 'vitest'
import { edited, makeProject, page, TESTER, textAt } from './fixtures/project.ts'
import { openEdit } from './index.ts'

const operations = [
  { op: 'move', target: '#a', by: 0.5 },
  { op: 'text', target: '#t', text: 'Nöu' },
  { op: 'style', target: '#t', property: 'color', value: 'blue' },
]

const plain = page(
  `\t<p id="a" data-start="1" data-duration="1">a</p>\n\t<h1 id=t class=x>Öld {{name}} </h1><!-- {{ x }} -->\n\t{{> partial}}`,
)

/** The text that the operations make of `plain`. */
const expected = plain
  .replace('data-start="1"', 'data-start="1.5"')
  .replace('<h1 id=t class=x>Öld {{name}} </h1>', '<h1 id=t class=x style="color: blue">Nöu {{name}} </h1>')

const keeping = operations.map((operation) =>
  operation.op === 'text' ? { ...operation, text: 'Nöu {{name}}' } : operation,
)

test.each([
  ['with tabs, unquoted attributes and text of another program', (text: string) => text],
  ['with line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
  ['without a line end at its end', (text: string) => text.trimEnd()],
  ['with a byte order mark', (text: string) => `\uFEFF${text}`],
  ['with a mark and line ends of Windows', (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`],
])('a file %s keeps every other byte, and undo restores all', async (_, written) => {
  const folder = await makeProject({ 'index.html': written(plain) })
  const edit = await openEdit(folder)
  await edit.stage(keeping, { who: TESTER })
  await edit.write()
  expect(await textAt(folder, 'index.html')).toBe(written(expected))
  await edit.undo(TESTER)
  expect(await textAt(folder, 'index.html')).toBe(written(plain))
  await edit.redo(TESTER)
  expect(await textAt(folder, 'index.html')).toBe(written(expected))
})

test('a copy and a removal in a file with line ends of Windows have such line ends', async () => {
  const html = page('      <p id="a" data-start="1" data-duration="1">a</p>').replaceAll('\n', '\r\n')
  const copy = await edited(html, [{ op: 'duplicate', target: '#a' }])
  expect(copy.html.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect((await edited(copy.html, [{ op: 'remove', target: '#a-2' }])).html).toBe(html)
})

test('a file that is not UTF-8 is refused, since its bytes could not be kept', async () => {
  const folder = await makeProject({ 'index.html': Buffer.from(plain, 'latin1') })
  const edit = await openEdit(folder)
  await expect(edit.stage(operations, { who: TESTER })).rejects.toMatchObject({ code: 'VID_EDIT_ENCODING' })
})

test('where elements are not closed, an edit that would change others is refused', async () => {
  const html = page('<b><p id="a" data-start="1">x</b>y</p><p id="c" data-start="0">z<p>w</p>')
  await expect(edited(html, [{ op: 'remove', target: '#a' }])).rejects.toMatchObject({ code: 'VID_EDIT_MALFORMED' })
  expect((await edited(html, [{ op: 'text', target: '#c', text: 'Z' }])).html).toBe(html.replace('z<p>', 'Z<p>'))
})

test('an element whose tags are misnested is refused for every operation, and one beside it is not', async () => {
  const html = page(`<b><p id="a" data-start="1" data-duration="1">x<i id="in">i</i></b>y</p>
<p id="c" data-start="0" data-duration="1">z</p>`)
  const parts = [
    { op: 'move', by: 1 },
    { op: 'trim', edge: 'end', by: 1 },
    { op: 'split', at: 1.5 },
    { op: 'duplicate' },
    { op: 'remove' },
    { op: 'track', track: 3 },
    { op: 'set', name: 'title', value: 'x' },
    { op: 'style', property: 'color', value: 'red' },
    { op: 'insert', place: 'after', start: 0, duration: 1, text: 'New' },
  ]
  for (const part of parts) {
    await expect(edited(html, [{ ...part, target: '#a' }]), part.op).rejects.toMatchObject({
      code: 'VID_EDIT_MALFORMED',
    })
    if (part.op !== 'split') expect((await edited(html, [{ ...part, target: '#c' }])).html, part.op).not.toBe(html)
  }
  for (const part of [
    { op: 'text', text: 'n' },
    { op: 'style', property: 'color', value: 'red' },
  ])
    await expect(edited(html, [{ ...part, target: '#in' }])).rejects.toMatchObject({ code: 'VID_EDIT_MALFORMED' })
})

test('line ends of Windows stay, also inside of values and texts', async () => {
  const html = page(`<p id="a" title="one
two" style="color: red;
  left: 1px">x
y</p>`).replaceAll('\n', '\r\n')
  const operations = [
    { op: 'style', target: '#a', property: 'top', value: '2px' },
    { op: 'set', target: '#a', name: 'title', value: 'three\nfour' },
    { op: 'set', target: '#a', name: 'lang', value: 'a\r\nb' },
    { op: 'text', target: '#a', text: 'new\nlines' },
  ]
  for (const operation of [...operations.map((one) => [one]), operations]) {
    const after = (await edited(html, operation)).html
    expect(after).not.toBe(html)
    expect(after.replaceAll('\r\n', ''), JSON.stringify(operation)).not.toMatch(/[\r\n]/)
  }
})

test.each([
  ['color', '12px', true],
  ['background-color', '#12345', true],
  ['width', '100', true],
  ['left', '10pixel', true],
  ['opacity', '3px', true],
  ['animation-duration', '2', true],
  ['color', '#fff8', false],
  ['color', 'var(--x)', false],
  ['color', 'rebeccapurple', false],
  ['width', '0', false],
  ['width', '12.5rem', false],
  ['width', 'calc(1px + 2%)', false],
  ['margin-left', '-3%', false],
  ['opacity', '.5', false],
  ['line-height', '1.2', false],
  ['--own', '12px', false],
])('the value of "%s: %s" is noted before it is written: %s', async (property, value, isNoted) => {
  const { receipt } = await edited(page('<p id="a">x</p>'), [{ op: 'style', target: '#a', property, value }])
  expect(receipt.notes.some(({ text }) => text.includes('browsers then ignore'))).toBe(isNoted)
})
