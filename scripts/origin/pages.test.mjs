import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { path, workspaces } from '../workspaces.mjs'
import { pageProblems, pageWriter } from './pages.mjs'

const write = pageWriter(workspaces())

const CLONE = 'Run `npm install --save-dev ../vid/presets/aws ../vid/packages/engine/cli`, then `npm i gsap`.'
const REGISTRY = 'Run `npm install --save-dev @vid/preset-aws @vid/cli`, then `npm i gsap`.'

test('packages are named by their folders in a clone and by their names on a registry, and others as they are', () => {
  expect(write(REGISTRY, 'docs/a.md', false)).toBe(CLONE)
  expect(write(CLONE, 'docs/a.md', true)).toBe(REGISTRY)
})

test('a package that is not installed in a line keeps its name', () => {
  const text = "import file from '@vid/deliver-file'\n`npm install` brings what `@vid/cli` needs."
  expect(write(text, 'docs/a.md', false)).toBe(text)
})

test('a marked place gets its text, with the way to the start page from there', () => {
  const text = 'Before.\n\n<!-- origin: beside -->\nold\n<!-- /origin -->\n\nAfter.'
  expect(write(text, 'plugins/x/README.md', false)).toContain('\nIn a folder beside a clone')
  expect(write(text, 'plugins/x/README.md', false)).toContain('([how](../../docs/start.md))')
  expect(write(text, 'docs/x.md', true)).toBe('Before.\n\n<!-- origin: beside -->\n<!-- /origin -->\n\nAfter.')
  expect(() => write('<!-- origin: nowhere --><!-- /origin -->', 'docs/x.md', true)).toThrow('docs/x.md')
})

test('what is right for the other origin only is a problem', () => {
  expect(pageProblems('npx @vid/cli init', false)).toEqual([expect.stringContaining('"npx @vid/cli"')])
  expect(pageProblems('cd ../vid/packages', true)).toEqual([expect.stringContaining('"../vid/"')])
  expect(pageProblems('npm install ../vid/packages/engine/cli', false)).toEqual([expect.stringContaining('../vid')])
})

test('publishing and back again leaves every page as it is, and what is published is right', () => {
  const listed = execFileSync('git', ['ls-files', '*.md', ':!.changeset', ':!packages/base/kernel/decisions'], {
    cwd: path(''),
    encoding: 'utf8',
  })
  for (const page of listed.trim().split('\n')) {
    const text = readFileSync(path(page), 'utf8')
    const published = write(text, page, true)
    expect(pageProblems(published, true), page).toEqual([])
    expect(write(published, page, false), page).toBe(write(text, page, false))
  }
})
