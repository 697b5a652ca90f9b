import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { variablesFlag } from './shell-text.ts'

test('a shell gives the values to the command as they are', () => {
  const values = { title: `it's "so" $HOME \\n`, size: 12 }
  const read = execFileSync('sh', ['-c', `set -- ${variablesFlag(values)}; printf %s "$2"`], {
    encoding: 'utf8',
  })
  expect(JSON.parse(read)).toEqual(values)
})
