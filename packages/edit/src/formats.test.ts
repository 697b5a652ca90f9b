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
