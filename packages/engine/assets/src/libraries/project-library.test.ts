import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { freshFolder } from '../fixtures/fresh-folder.ts'
import { findProjectLibrary } from './project-library.ts'

const write = async (folder: string, files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

const gsap = (folder = 'node_modules/gsap') => ({
  [`${folder}/package.json`]: '{ "name": "gsap", "version": "3.5.0", "main": "./dist/gsap.js" }',
  [`${folder}/dist/gsap.min.js`]: '// min',
  [`${folder}/dist/gsap.js`]: '// whole',
  [`${folder}/index.js`]: '// module',
})

test.each([
  ['https://cdn.jsdelivr.net/npm/gsap@3.5.0/dist/gsap.min.js', 'dist/gsap.min.js'],
  ['https://unpkg.com/gsap@%5E3.2.0/dist/gsap.js', 'dist/gsap.js'],
  ['https://cdn.jsdelivr.net/npm/gsap', 'dist/gsap.min.js'],
  ['https://cdnjs.cloudflare.com/ajax/libs/gsap/3.5.0/gsap.min.js', 'dist/gsap.min.js'],
])('%s is served from the package of the project', async (url, file) => {
  await using folder = await freshFolder()
  await write(folder.path, gsap())
  const source = `node_modules/gsap/${file}`
  expect(await findProjectLibrary(folder.path, url)).toEqual({
    checkedPaths: ['node_modules/gsap/package.json'],
    answer: {
      path: join(await realpath(folder.path), source),
      contentType: 'text/javascript; charset=utf-8',
      source,
    },
  })
})

test('a library that only a project brings is served for its whole major version, and tells which one it is', async () => {
  await using folder = await freshFolder()
  await write(folder.path, gsap())
  const { answer } = await findProjectLibrary(folder.path, 'https://unpkg.com/gsap@3.12.5/dist/gsap.min.js')
  expect(answer).toMatchObject({
    source: 'node_modules/gsap/dist/gsap.min.js',
    other: { name: 'gsap', asked: '3.12.5', served: '3.5.0' },
  })
})

test('a module is redirected to its path in the package, and a package outside the catalogue is served from its files', async () => {
  await using folder = await freshFolder()
  await write(folder.path, {
    ...gsap(),
    'node_modules/@me/font/package.json': '{ "version": "1.2.3" }',
    'node_modules/@me/font/400.css': 'p { color: red }',
  })
  const find = async (url: string) => (await findProjectLibrary(folder.path, url)).answer
  expect(await find('https://esm.sh/gsap@3.5')).toEqual({
    redirect: 'https://cdn.jsdelivr.net/npm/gsap@3.5.0/index.js',
  })
  expect(await find('https://cdn.jsdelivr.net/npm/@me/font@1/400.css')).toMatchObject({
    contentType: 'text/css; charset=utf-8',
    source: 'node_modules/@me/font/400.css',
  })
})

test.each([
  'https://cdn.jsdelivr.net/npm/gsap@2/dist/gsap.min.js',
  'https://cdn.jsdelivr.net/npm/gsap@next/dist/gsap.min.js',
  'https://cdn.jsdelivr.net/npm/gsap@3.5.0/dist/nothing.js',
  'https://cdn.jsdelivr.net/npm/gsap@3.5.0/..%2f..%2f..%2fsecret.js',
  'https://cdn.jsdelivr.net/npm/gsap@3.5.0/%2e%2e/%2e%2e/secret.js',
  'https://cdn.jsdelivr.net/npm/../secret.js',
  'https://cdn.jsdelivr.net/npm/gsap@3.5.0/dist/linked.js',
  'https://cdn.jsdelivr.net/npm/linked@1/index.js',
  'https://cdn.jsdelivr.net/npm/broken@1/index.js',
  'https://example.com/npm/gsap@3.5.0/dist/gsap.min.js',
])('%s is not', async (url) => {
  await using folder = await freshFolder()
  const outside = join(folder.path, 'outside')
  const project = join(folder.path, 'project')
  await write(outside, { 'package.json': '{ "version": "1.0.0" }', 'index.js': '// outside' })
  await write(project, { ...gsap(), 'secret.js': '// secret', 'node_modules/broken/package.json': '{' })
  await symlink(join(outside, 'index.js'), join(project, 'node_modules/gsap/dist/linked.js'))
  await symlink(outside, join(project, 'node_modules/linked'))
  expect((await findProjectLibrary(project, url)).answer).toBeUndefined()
})

test('a package that a package manager keeps in a store and links to is served', async () => {
  await using folder = await freshFolder()
  const store = 'node_modules/.pnpm/gsap@3.5.0/node_modules/gsap'
  await write(folder.path, gsap(store))
  await symlink(join(folder.path, store), join(folder.path, 'node_modules/gsap'))
  const { answer } = await findProjectLibrary(folder.path, 'https://unpkg.com/gsap@3/dist/gsap.js')
  expect(answer).toMatchObject({ path: join(await realpath(folder.path), store, 'dist/gsap.js') })
})
