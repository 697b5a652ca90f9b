import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Declaration } from '@vid/core'
import { expect, onTestFinished, test } from 'vitest'
import { groupProblems } from './problem-groups.ts'
import { listRows, readRowsFile } from './read-list.ts'

const declarations: readonly Declaration[] = [
  { id: 'name', type: 'string', label: 'Full name', default: 'Ada' },
  { id: 'points', type: 'number', label: 'Points', default: 40 },
  { id: 'member', type: 'boolean', label: 'Member', default: true },
  { id: 'ink', type: 'color', label: 'Colour', default: '#264653' },
  {
    id: 'plan',
    type: 'enum',
    label: 'Plan',
    default: 'free',
    options: [
      { value: 'free', label: 'Free plan' },
      { value: 'pro', label: 'Professional' },
    ],
  },
]

const utf16 = (text: string, isLittle: boolean, hasMark = true) => {
  const bytes = Buffer.from(`${hasMark ? '\ufeff' : ''}${text}`, 'utf16le')
  return isLittle ? bytes : bytes.swap16()
}
const bom = (text: string) => Buffer.from(`\ufeff${text}`)
const western = (text: string) => Buffer.from(text, 'latin1')

const read = async (content: string | Uint8Array, file = 'rows.csv', placeholders: readonly string[] = []) => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-table-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, file), content)
  const rows = await readRowsFile(file, { cwd: folder })
  return listRows(rows, { declarations, placeholders: new Set(placeholders) })
}

type Values = Readonly<Record<string, unknown>>
/** A table as some program writes it, and its rows by the numbers that a spreadsheet shows. */
type Shape = readonly [
  what: string,
  content: string | Uint8Array,
  rows: Readonly<Record<number, Values>>,
  file?: string,
]

const ada = { name: 'Ada', points: 85 }
const linus = { name: 'Linus', points: 62 }
const both = { 2: ada, 3: linus }

const shapes: readonly Shape[] = [
  // Excel
  ['CSV of an English Excel', 'name,points\r\nAda,85\r\nLinus,62\r\n', both],
  ['CSV UTF-8 of Excel, with a mark', bom('name,points\r\nJosé,85\r\n'), { 2: { name: 'José', points: 85 } }],
  [
    'CSV of a German Excel, in Windows-1252',
    western('name;points\r\nJörg;1,5\r\n'),
    { 2: { name: 'Jörg', points: 1.5 } },
  ],
  [
    'Unicode text of Excel, in UTF-16 with tabs',
    utf16('name\tpoints\r\nŁukasz\t85\r\n', true),
    { 2: { name: 'Łukasz', points: 85 } },
    'rows.txt',
  ],
  ['UTF-16, big end first', utf16('name,points\nAda,85\n', false), { 2: ada }],
  ['UTF-16 without a mark', utf16('name,points\nAda,85\n', true, false), { 2: ada }],
  ['a first line that names the delimiter', 'sep=;\r\nname;points\r\nAda;85\r\n', { 2: ada }],
  ['CSV of Excel for Macintosh, with returns alone', 'name,points\rAda,85\rLinus,62\r', both],
  [
    'rows that Excel cuts short at empty cells',
    'name,points,member\r\nAda,85\r\nLinus\r\n',
    { 2: ada, 3: { name: 'Linus' } },
  ],
  ['empty rows and columns that were once used', 'name,points,,\r\nAda,85,,\r\n,,,\r\n,,,\r\n', { 2: ada }],
  [
    'a break inside of a cell',
    'name,points\r\n"Ada\nLovelace",85\r\nLinus,62\r\n',
    { 2: { name: 'Ada\nLovelace', points: 85 }, 3: linus },
  ],
  [
    'a return and a line feed inside of a cell',
    'name,points\r\n"Ada\r\nLovelace",85\r\n',
    { 2: { name: 'Ada\nLovelace', points: 85 } },
  ],
  ['numbers with thousands, as they are shown', 'name,points\r\nAda,"1,234"\r\n', { 2: { name: 'Ada', points: 1234 } }],
  ['German numbers with thousands', 'name;points\r\nAda;1.234,50\r\n', { 2: { name: 'Ada', points: 1234.5 } }],
  [
    'German thousands that another cell explains',
    'name;points\r\nAda;1.234\r\nLinus;0,5\r\n',
    { 2: { name: 'Ada', points: 1234 }, 3: { name: 'Linus', points: 0.5 } },
  ],
  ['French numbers with narrow spaces', 'name;points\r\nAda;1\u202f234,5\r\n', { 2: { name: 'Ada', points: 1234.5 } }],
  ['Swiss numbers with apostrophes', "name;points\r\nAda;1'234.5\r\n", { 2: { name: 'Ada', points: 1234.5 } }],
  ['numbers in scientific form', 'name,points\r\nAda,8.5E+01\r\n', { 2: ada }],
  ['a true minus', 'name,points\r\nAda,\u22125\r\n', { 2: { name: 'Ada', points: -5 } }],
  [
    'TRUE and FALSE',
    'name,member\r\nAda,TRUE\r\nLinus,FALSE\r\n',
    { 2: { name: 'Ada', member: true }, 3: { name: 'Linus', member: false } },
  ],
  [
    'WAHR and FALSCH',
    'name;member\r\nAda;WAHR\r\nLinus;FALSCH\r\n',
    { 2: { name: 'Ada', member: true }, 3: { name: 'Linus', member: false } },
  ],
  [
    'VRAI and FAUX',
    'name;member\r\nAda;VRAI\r\nLinus;FAUX\r\n',
    { 2: { name: 'Ada', member: true }, 3: { name: 'Linus', member: false } },
  ],
  [
    'ИСТИНА and ЛОЖЬ',
    'name;member\r\nAda;ИСТИНА\r\nLinus;ЛОЖЬ\r\n',
    { 2: { name: 'Ada', member: true }, 3: { name: 'Linus', member: false } },
  ],
  ['a formula that begins a text', 'name,points\r\n=1+1,85\r\n', { 2: { name: '=1+1', points: 85 } }],
  [
    'a formula that would call a program',
    `name,points\r\n"=cmd|' /C calc'!A0",85\r\n`,
    { 2: { name: "=cmd|' /C calc'!A0", points: 85 } },
  ],
  // Numbers, LibreOffice, Sheets
  ['CSV of Numbers, with line feeds and without the last', 'name,points\nAda,85\nLinus,62', both],
  ['CSV of LibreOffice with all texts in quotes', '"name","points"\n"Ada",85\n"Linus",62\n', both],
  ['CSV of LibreOffice with all cells in quotes', '"name","points"\n"Ada","85"\n', { 2: ada }],
  ['LibreOffice with bars', 'name|points\nAda|85\n', { 2: ada }],
  ['quotes inside of quotes', 'name,points\n"Ada ""the first""",85\n', { 2: { name: 'Ada "the first"', points: 85 } }],
  ['a comma inside of quotes', 'name,points\n"Lovelace, Ada",85\n', { 2: { name: 'Lovelace, Ada', points: 85 } }],
  ['a quote in the middle of a cell', 'name,points\nAda 5" tall,85\n', { 2: { name: 'Ada 5" tall', points: 85 } }],
  ['TSV of Sheets', 'name\tpoints\r\nAda\t85\r\n', { 2: ada }, 'rows.tsv'],
  ['one column in a TSV with commas in it', 'name\r\nLovelace, Ada\r\n', { 2: { name: 'Lovelace, Ada' } }, 'rows.tsv'],
  [
    'commas in a table with semicolons',
    'name;points\nLovelace, Ada;85\nTorvalds, Linus;62\n',
    { 2: { name: 'Lovelace, Ada', points: 85 }, 3: { name: 'Torvalds, Linus', points: 62 } },
  ],
  ['one column', 'name\nAda\nLinus\n', { 2: { name: 'Ada' }, 3: { name: 'Linus' } }],
  [
    'right-to-left names',
    'name,points\nمريم,85\nדוד,62\n',
    { 2: { name: 'مريم', points: 85 }, 3: { name: 'דוד', points: 62 } },
  ],
  ['emoji and letters beyond the first plane', 'name,points\n👩‍🚀 𝒜da,85\n', { 2: { name: '👩‍🚀 𝒜da', points: 85 } }],
  ['line ends of two kinds', 'name,points\r\nAda,85\nLinus,62\r\n', both],
  ['blank lines between rows, which are counted', 'name,points\n\nAda,85\n\n\nLinus,62\n', { 3: ada, 6: linus }],
  // Airtable, Notion, forms
  [
    'Airtable with ticked boxes',
    'name,member\nAda,checked\nLinus,\n',
    { 2: { name: 'Ada', member: true }, 3: { name: 'Linus', member: false } },
  ],
  [
    'Notion with Yes and No',
    bom('name,member\nAda,Yes\nLinus,No\n'),
    { 2: { name: 'Ada', member: true }, 3: { name: 'Linus', member: false } },
  ],
  ['the labels of variables as headings', 'Full name,Points\nAda,85\n', { 2: ada }],
  ['headings in other capitals and with spaces', ' NAME ,POINTS\nAda,85\n', { 2: ada }],
  ['a heading over two lines', '"Full\nname",points\nAda,85\n', { 2: ada }],
  ['options by their values', 'name,plan\nAda,pro\n', { 2: { name: 'Ada', plan: 'pro' } }],
  ['options by their labels', 'name,plan\nAda,Professional\n', { 2: { name: 'Ada', plan: 'pro' } }],
  [
    'options in other capitals',
    'name,plan\nAda,PRO\nLinus,free plan\n',
    { 2: { name: 'Ada', plan: 'pro' }, 3: { name: 'Linus', plan: 'free' } },
  ],
  [
    'colours with three digits, with six, and without a sign',
    'name,ink\nAda,#f80\nLinus,2A9D8F\n',
    { 2: { name: 'Ada', ink: '#ff8800' }, 3: { name: 'Linus', ink: '#2A9D8F' } },
  ],
  ['empty cells', 'name,points,member\nAda,,\n,62,\n', { 2: { name: 'Ada' }, 3: { points: 62 } }],
  // databases and programs
  [
    'CSV of Postgres, with t and f',
    'name,points,member\nAda,85,t\nLinus,62,f\n',
    { 2: { ...ada, member: true }, 3: { ...linus, member: false } },
  ],
  ['COPY of Postgres, with \\N', 'name\tpoints\nAda\t\\N\n', { 2: { name: 'Ada' } }, 'dump.txt'],
  ['MySQL with NULL, and a man of that name', 'name,points\nNull,NULL\n', { 2: { name: 'Null' } }],
  [
    'SQL Server with 1 and 0',
    'name,member\nAda,1\nLinus,0\n',
    { 2: { name: 'Ada', member: true }, 3: { name: 'Linus', member: false } },
  ],
  ['pandas with floats', 'name,points\nAda,85.0\nLinus,62.125\n', { 2: ada, 3: { name: 'Linus', points: 62.125 } }],
  [
    'floats with three decimals in a TSV',
    'name\tpoints\nAda\t12.345\n',
    { 2: { name: 'Ada', points: 12.345 } },
    'rows.tsv',
  ],
  ['JSON in a cell', 'name,points\n"[""a"",""b""]",85\n', { 2: { name: '["a","b"]', points: 85 } }],
  ['a name like a property of objects', 'name,points\n__proto__,85\n', { 2: { name: '__proto__', points: 85 } }],
  ['spaces around a text, which are part of it', 'name,points\n"  Ada ",85\n', { 2: { name: '  Ada ', points: 85 } }],
  ['JSON', JSON.stringify([ada, linus]), { 0: ada, 1: linus }, 'rows.json'],
  ['JSON with a mark', bom(JSON.stringify({ rows: [ada] })), { 0: ada }, 'rows.json'],
  ['JSON in UTF-16', utf16(JSON.stringify([ada]), true), { 0: ada }, 'rows.json'],
  ['JSON without a name that says so', JSON.stringify([ada]), { 0: ada }, 'rows'],
  ['JSON a line', `${JSON.stringify(ada)}\n\n${JSON.stringify(linus)}\n`, { 1: ada, 3: linus }, 'rows.jsonl'],
  [
    'JSON a line without a name that says so',
    `${JSON.stringify(ada)}\r\n${JSON.stringify(linus)}`,
    { 1: ada, 2: linus },
    'rows',
  ],
]

test.each(shapes.map(([what, content, expected, file]) => ({ what, content, expected, file })))(
  '$what',
  async ({ content, expected, file }) => {
    const { rows, problems } = await read(content, file)
    expect(Object.fromEntries(rows.map(({ number, variables }) => [number, variables]))).toEqual(expected)
    expect(problems).toEqual([])
  },
)

test.each([
  ['a text in a column of numbers', 'name,points\nAda,many\n', 'Row 2, column B (points): "many" is not a number.'],
  ['a share', 'name,points\nAda,85 %\n', 'Row 2, column B (points): "85 %" is not a number.'],
  [
    'thousands or decimals',
    'name;points\nAda;1.234\n',
    'Row 2, column B (points): "1.234" could be 1.234 or 1234: write it without thousands marks.',
  ],
  [
    'a word that is neither true nor false',
    'name,member\nAda,perhaps\n',
    'Row 2, column B (member): "perhaps" is neither true nor false.',
  ],
  ['a colour by name', 'ink\nred\n', 'Row 2, column A (ink): "red" is not a colour such as #2a9d8f.'],
  ['no option', 'name,plan\n\nAda,gold\n', 'Row 3, column B (plan): "gold" is none of "free", "pro".'],
  ['a formula that failed', 'name,points\n#REF!,85\n', 'Row 2, column A (name): Its formula has failed: #REF!'],
  [
    'the same mistake twice',
    'name,points\nAda,x\nLinus,x\nGrace,1\n',
    'Rows 2 and 3, column B (points): "x" is not a number.',
  ],
  [
    'one mistake with several values',
    'name,points\nAda,x\nLinus,y\nGrace,1\n',
    'Rows 2 and 3, column B (points), in the first of them: "x" is not a number.',
  ],
  ['a mistake in every row', 'name,points\nAda,x\nLinus,x\n', 'Column B (points): "x" is not a number (2 rows).'],
  ['a column that is no variable', 'id,name\n1,Ada\n2,Linus\n', 'Column A (id) is not a variable (2 rows).'],
  ['a column without a heading', 'name,\nAda,x\n', 'Column B is not a variable (1 row).'],
  [
    'a text with a comma and no quotes',
    'name,points\nAda,85\nLinus, jr,62\n',
    'Row 3: column C has no heading: a text with a comma in it must be in quotes',
  ],
])('%s is named with its cell, once', async (_, content, message) => {
  const { rows, problems } = await read(content)
  const groups = groupProblems(problems, { called: 'row', total: rows.length })
  expect(groups.map((group) => group.message)).toContain(message)
})

test('a column that is no variable may name the output, and is then not said', async () => {
  const { rows, problems } = await read('E-mail,name\na@example.org,Ada\n', 'rows.csv', ['E-mail'])
  expect(problems).toEqual([])
  expect(rows[0]).toMatchObject({ variables: { name: 'Ada' }, names: { 'E-mail': 'a@example.org', name: 'Ada' } })
})

const zip = Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0])

test.each([
  ['a workbook', zip, 'rows.xlsx', 'VID_BATCH_FORMAT', 'a packed file'],
  ['a workbook that is called a table', zip, 'rows.csv', 'VID_BATCH_FORMAT', 'a packed file'],
  ['a page of HTML', '<!DOCTYPE html><html><body>Sign in</body></html>', 'rows.csv', 'VID_BATCH_FORMAT', 'HTML'],
  [
    'bytes of no encoding',
    Uint8Array.from([0x61, 0x81, 0x8d, 0x90, 0xff]),
    'rows.csv',
    'VID_BATCH_FORMAT',
    'neither in UTF-8',
  ],
  ['nothing', '', 'rows.csv', 'VID_BATCH_EMPTY', 'no rows'],
  ['headings alone', 'name,points\n', 'rows.csv', 'VID_BATCH_EMPTY', 'no rows'],
  [
    'headings that are no variables',
    'a,b\n1,2\n',
    'rows.csv',
    'VID_BATCH_HEADINGS',
    'its headings are a, b, and the variables are name, points',
  ],
  [
    'two columns of one variable',
    'name,Full name\nAda,Ada\n',
    'rows.csv',
    'VID_BATCH_COLUMNS',
    'column A (name) and column B (Full name)',
  ],
  ['a quote that is never closed', 'name,points\n"Ada,85\nLinus,62\n', 'rows.csv', 'VID_BATCH_TABLE', 'never closed'],
  [
    'a cell of 10 MB',
    `name\n${'a'.repeat(10_000_000)}\n`,
    'rows.csv',
    'VID_BATCH_CELL',
    'Row 2, column A: it has 10000000 characters',
  ],
  ['100 000 rows', `name\n${'Ada\n'.repeat(100_000)}`, 'rows.csv', 'VID_BATCH_MANY', '100000 rows'],
  [
    'a line that is not JSON',
    '{"name":"Ada"}\n{name}\n',
    'rows.jsonl',
    'VID_BATCH_ROW',
    'Row 2 cannot be rendered: it is not JSON',
  ],
])('%s is refused', async (_, content, file, code, words) => {
  await expect(read(content, file)).rejects.toMatchObject({ code, message: expect.stringContaining(words) })
})
