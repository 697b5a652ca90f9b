import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../cli/src/fixtures/project.ts'
import { checkRows } from './json-rows.ts'
import { readRowsFile } from './read-list.ts'

test.each([
  ['{}', 'The batch file "rows.json" has no rows.'],
  ['{"rows":{}}', 'The batch file "rows.json" has an object instead of rows.'],
  ['{"rows":null}', 'The batch file "rows.json" has null instead of rows.'],
  ['7', 'The batch file "rows.json" has a number instead of rows.'],
])('%s is refused in a whole sentence', async (text, message) => {
  const folder = await makeFolder({})
  await writeFile(join(folder, 'rows.json'), text)
  await expect(readRowsFile('rows.json', { cwd: folder })).rejects.toMatchObject({ code: 'VID_BATCH_SHAPE', message })
})

test('a row that nests too deeply is refused by its number', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  expect(() => checkRows([{}, { a: deep }], 'rows.json')).toThrow(
    expect.objectContaining({ code: 'VID_BATCH_ROW', message: expect.stringContaining('500 levels') }),
  )
})
