import { expect, test } from 'vitest'
import { path } from '../workspaces.mjs'
import { missingReferences } from './references.mjs'

const missing = (page) => missingReferences(page, { file: 'docs/check.md', root: path('') })

test('links are read from the folder of the page, named paths from the root, addresses and blocks of code not at all', () => {
  const page = '[a](ci.md#steps) [b](https://example.com/a) `scripts/lab.mjs`\n\n```md\n[c](nowhere.md)\n```\n'
  expect(missing(page)).toEqual([])
})

test('files that do not exist are returned', () => {
  expect(missing('[a](docs/ci.md) `scripts/nothing.mjs` `packages/authoring/check/`')).toEqual([
    'docs/ci.md',
    'scripts/nothing.mjs',
  ])
})
