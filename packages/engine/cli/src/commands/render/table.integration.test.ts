import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from '@vid/render'
import { expect, test } from 'vitest'
import { eventsOf, makeFolder, page, paint, vid, vidWith } from '../../fixtures/project.ts'

const makeTable = (text: string, name = 'rows.csv') => makeFolder({ 'vid.config.mjs': paint, [name]: text })
const render = (folder: string, ...args: string[]) => vid(folder, 'render', 'intro', '--batch', 'rows.csv', ...args)
const manifestOf = async (folder: string, path = 'out/manifest.json') =>
  JSON.parse(await readFile(join(folder, path), 'utf8')) as Manifest

test('a table is rendered with values of the declared types, and its rows are counted as a spreadsheet does', async () => {
  const folder = await makeTable('\ufefftitle;count;id\r\nJörg;7;a\r\n\r\nZoë;;b\r\n')
  const { code, stderr } = await render(folder, '-o', 'out/{id}.mp4', '--strict-variables')
  expect(code, stderr).toBe(0)
  expect(stderr).toMatch(/^[12]\/2 rows: row 4, out\/b\.mp4$/m)
  const { rows } = await manifestOf(folder)
  expect(rows).toMatchObject([
    { index: 0, number: 2, variables: { title: 'Jörg', count: 7 }, status: 'completed' },
    { index: 1, number: 4, variables: { title: 'Zoë' }, status: 'completed' },
  ])
})

test('headings are mapped to variables, and name the output', async () => {
  const folder = await makeTable('Name of film,E-mail\nOne,a@example.org\nTwo,b@example.org\n')
  const { code, stderr } = await render(
    folder,
    '--batch-columns',
    'Name of film=title',
    '-o',
    'out/{E-mail}.mp4',
    '--format',
    'mp4',
  )
  expect(code, stderr).toBe(0)
  expect(stderr).not.toContain('warning')
  expect((await readdir(join(folder, 'out'))).sort()).toEqual([
    'a@example.org.mp4',
    'b@example.org.mp4',
    'manifest.json',
  ])
  const { rows } = await manifestOf(folder)
  expect(rows.map(({ variables }) => variables)).toEqual([{ title: 'One' }, { title: 'Two' }])
})

test.each([
  ['a heading that is not there', 'Nmae=title', 'Did you mean "Name"?'],
  ['a variable that is not there', 'Name=titel', 'Did you mean "title"?'],
  ['no pair', 'Name', 'is not a list of pairs'],
])('--batch-columns with %s is refused', async (_, columns, words) => {
  const folder = await makeTable('Name\nOne\n')
  const { code, stderr } = await render(folder, '--batch-columns', columns)
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(words) })
})

test('rows come from a pipe, as a table or as JSON a line', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': paint })
  for (const input of ['title\nOne\nTwo\n', '{"title":"One"}\n{"title":"Two"}\n']) {
    const { code, stderr } = await vidWith(folder, ['render', 'intro', '--batch', '-', '-o', 'out/{title}.mp4'], {
      input,
    })
    expect(code, stderr).toBe(0)
    const { rows, batchPath } = await manifestOf(folder)
    expect(rows.map(({ outputPath }) => outputPath)).toEqual([join(folder, 'out/One.mp4'), join(folder, 'out/Two.mp4')])
    expect(batchPath).toBe('')
  }
})

test('a mistake of five hundred rows is said once, all mistakes in twenty lines, and each row with --json', async () => {
  const lines = Array.from({ length: 500 }, (_, n) => `${n},t${n},${n % 2 === 0 ? 'many' : n % 10}`)
  const folder = await makeTable(['id,title,count', ...lines].join('\n'))
  const strict = await render(folder, '--strict-variables')
  expect(strict.code).toBe(2)
  expect(strict.stderr).toContain('Column A (id) is not a variable (500 rows).')
  expect(strict.stderr).toMatch(
    /Rows 2, 4, 6, 8, 10, 12, 14, 16 and 242 more, column C \(count\): "many" is not a number\./,
  )
  expect(strict.stderr.trim().split('\n').length).toBeLessThanOrEqual(20)
  const { stdout } = await render(folder, '--strict-variables', '--json')
  const [{ problems }] = eventsOf(stdout) as unknown as [{ problems: { rows: number[]; column?: string }[] }]
  expect(problems.find(({ column }) => column === 'column C (count)')?.rows).toHaveLength(250)
})

test('mistakes of thirty kinds have twenty lines', async () => {
  const headings = Array.from({ length: 30 }, (_, n) => `other${n}`)
  const folder = await makeTable(`title,${headings.join(',')}\nOne,${headings.join(',')}\n`)
  const { code, stderr } = await render(folder, '--strict-variables')
  expect(code).toBe(2)
  expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(20)
  expect(stderr).toContain('21 more mistakes')
})

test('the table that vid table writes is rendered as it is', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': paint })
  const run = await vid(folder, 'table', 'intro')
  expect(run).toMatchObject({ code: 0, stdout: 'rows.csv\n' })
  expect(await readFile(join(folder, 'rows.csv'), 'utf8')).toBe('\ufefftitle,count,mood\r\nhi,1,calm\r\n')
  const { code, stderr } = await render(folder, '--strict-variables', '-o', 'out/{title}.mp4')
  expect(code, stderr).toBe(0)
  const { rows } = await manifestOf(folder)
  expect(rows[0]?.variables).toEqual({ title: 'hi', count: 1, mood: 'calm' })
  await writeFile(join(folder, 'rows.csv'), 'mine')
  const again = await vid(folder, 'table', 'intro')
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('VID_TABLE_EXISTS') })
  expect(await readFile(join(folder, 'rows.csv'), 'utf8')).toBe('mine')
})

const photoPage = page
  .replace("'[", `'[{"id":"photo","type":"string","label":"Photo","default":"ada.png"},`)
  .replace('></div>', '><img data-var-src="photo"></div>')

test('pictures that are not there are named with their cells, before the first row', async () => {
  const folder = await makeFolder({
    'vid.config.mjs': paint,
    'intro/index.html': photoPage,
    'intro/ada.png': 'png',
    'intro/photos/a b.png': 'png',
    'rows.csv':
      'title,photo\nA,ada.png\nB,lost.png\nC,photos/a b.png\nD,lost.png\nE,http://127.0.0.1:9/x.png\nF,../outside.png\n',
  })
  const loose = await render(folder, '-o', 'out/{title}.mp4')
  expect(loose.code, loose.stderr).toBe(0)
  expect(loose.stderr).toContain('Rows 3 and 5, column B (photo): "lost.png" of "photo" cannot be shown')
  expect(loose.stderr).toContain('Row 7, column B (photo): "../outside.png" of "photo" cannot be shown')
  expect(loose.stderr).not.toContain('127.0.0.1')
  const strict = await render(folder, '-o', 'strict/{title}.mp4', '--strict')
  expect(strict.code, strict.stderr).toBe(2)
  expect(strict.stderr).toContain('Rows 3 and 5, column B (photo): "lost.png"')
  expect(strict.stderr).toContain('Row 6, column B (photo): "http://127.0.0.1:9/x.png" of "photo" cannot be shown')
  expect(strict.stderr).not.toContain('a b.png')
  await expect(readdir(join(folder, 'strict'))).rejects.toThrow()
})
