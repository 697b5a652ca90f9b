import { expect, test } from 'vitest'
import { vagueNames } from './value-names.mjs'

const textsOf = (text) => [['src/pages.ts', text]]

test('locals and parameters by a vague name are problems, with their lines', () => {
  const text = `const found = pages.find(isOpen)
const read = ({ asked, size: [given = 1, ...own] }: Request): void => {}
try { read() } catch (told) {}
interface Reader { accept(wanted: number): void }
`
  expect(vagueNames(textsOf(text))).toEqual([
    {
      key: 'src/pages.ts',
      text: 'src/pages.ts names values by found (line 1), asked (line 2), given (line 2), own (line 2), told (line 3), wanted (line 4): name what they hold',
    },
  ])
})

test('fields, words in texts and files that are no source are no problems', () => {
  const text = "const { known: presets } = chosen\nconst page = { found: 1 }\nwrite(page.found, 'given', `own`)\n"
  expect(vagueNames(textsOf(text))).toEqual([])
  expect(vagueNames([['notes.md', 'const found = 1']])).toEqual([])
})
