import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../cli/src/fixtures/project.ts'
import { readRows } from './rows.ts'

test.each([
  ['{}', 'the batch file "rows.json" has no rows'],
  ['{"rows":{}}', 'the batch file "rows.json" has an object where its rows should be'],
  ['{"rows":null}', 'the batch file "rows.json" has null where its rows should be'],
  ['7', 'the batch file "rows.json" has a number where its rows should be'],
])('%s is refused in a whole sentence', async (text, message) => {
  const folder = await makeFolder({})
  await writeFile(join(folder, 'rows.json'), text)
  await expect(readRows('rows.json', folder)).rejects.toMatchObject({ code: 'VID_BATCH_SHAPE', message })
})
