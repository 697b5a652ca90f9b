import { readdirSync, readFileSync } from 'node:fs'
import { type Loader, transform } from 'esbuild'
import { expect, test } from 'vitest'
import { path, workspaces } from './workspaces.mjs'

const pages = [
  'README.md',
  ...readdirSync(path('docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...workspaces().map(({ folder }) => `${folder}/README.md`),
]

/** The code of a page that programs, configs and plugins are made of. */
const examplesOf = (page: string) => {
  const text = readFileSync(path(page), 'utf8')
  return [...text.matchAll(/^```(ts|js|tsx|jsx)\n(.*?)^```$/gms)].map(({ 1: loader, 2: code = '', index }) => ({
    place: `${page}:${text.slice(0, index).split('\n').length}`,
    loader: loader as Loader,
    code,
  }))
}

const examples = pages.flatMap(examplesOf)

/** What code imports of the packages of vid, but for types: the name of each, and what it must export. */
const importsOf = (code: string) =>
  [...code.matchAll(/^import ([^"]*) from "(@vid\/[^"]+)";$/gm)].map(([, clause = '', name = '']) => {
    const [whole = '', parts = ''] = clause.split('{')
    const names = parts.split(/[,}]/).map((part) => part.trim().split(' as ')[0] ?? '')
    return { name, exports: [...(/^\w/.test(whole) ? ['default'] : []), ...names.filter(Boolean)] }
  })

test('the pages have examples, and some import packages', () => {
  expect(examples.length).toBeGreaterThan(50)
  expect(examples.filter(({ code }) => code.includes("from '@vid/")).length).toBeGreaterThan(40)
})

test.each(examples)('the example at $place is valid, and what it imports is there', async ({ loader, code }) => {
  const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } }
  const { code: plain } = await transform(code, { loader, format: 'esm', jsx: 'preserve', tsconfigRaw })
  for (const { name, exports } of importsOf(plain)) {
    const names = Object.keys(await import(name))
    expect(names, name).toEqual(expect.arrayContaining(exports))
  }
})
