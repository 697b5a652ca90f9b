import fs from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { PluginOf } from '../contracts/plugin.ts'
import { defineEncoder, noteOrigin, originOf } from '../index.ts'
import { identifyCode } from './identity.ts'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'vid-code-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

const write = async (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

/** A plugin as if one of the files here had defined it, newly in each process. */
const definedIn = (...files: string[]) => {
  const definition = { encode: async () => ({ file: '' }) }
  const plugin = { role: 'encoder' as const, apiVersion: 1, name: 'own', options: {}, ...definition }
  return noteOrigin(plugin, { definition, files: files.map((file) => join(folder, file)) })
}
const codeOf = (...files: string[]) => {
  const plugin = definedIn(...files)
  return identifyCode([plugin])(plugin)
}

const define = () =>
  defineEncoder({ name: 'own', formats: ['own'], accepts: ['png'], encode: async () => ({ file: '' }) })()

test('the file that called a define function is the origin of its plugins, and a copy keeps it', () => {
  const plugin = define()
  expect(originOf(plugin)?.files).toEqual([import.meta.filename])
  expect(originOf({ ...plugin, options: { crf: 1 } })?.files).toEqual([import.meta.filename])
})

test('files that import the one of a plugin are not its origin, whether Node or a test runner loads them', async () => {
  const file = join(import.meta.dirname, '../fixtures/still-encoder.ts')
  const { stillEncoder } = await import('../fixtures/still-encoder.ts')
  expect(originOf(stillEncoder())?.files).toEqual([file])
})

test('a copy with another function has no origin, and never the same identity twice', () => {
  const altered = (): PluginOf<'encoder'> => ({ ...define(), encode: async () => ({ file: 'other' }) })
  expect(originOf(altered())).toBeUndefined()
  const one = altered()
  const other = altered()
  const identityOf = identifyCode([])
  expect(identityOf(one)).toBe(identityOf(one))
  expect(identityOf(one)).not.toBe(identityOf(other))
})

test.each([
  ['a static import', "import { level } from './part.ts'"],
  ['an import of a file named as its JavaScript', "import { level } from './part.js'"],
  ['an import without an extension', "import './part'"],
  ['an export from it', "export * from './part.ts'"],
  ['an import when it is needed', "const load = () => import(/* later */ './part.ts')"],
  ['a require', "const { level } = require('./part.ts')"],
  ['an address', "const file = new URL('./part.ts', import.meta.url)"],
  ['an import of a module that imports it', "import './between.mjs'"],
  ['a linked package that imports it', "import { level } from 'linked'"],
  ['an import by a name of the own package', "import '#part'"],
])('an edit is noticed through %s', async (_, line) => {
  await write({
    'package.json': '{"name":"project","imports":{"#part":"./part.ts"}}',
    'encoder.ts': `${line}\nexport const own = 1`,
    'between.mjs': "import'./part.ts'",
    'part.ts': 'export const level: number = 1',
    'linked/package.json': '{"name":"linked","version":"1.0.0","exports":{".":{"import":"./main.mjs"}}}',
    'linked/main.mjs': "export * from '../part.ts'",
  })
  await mkdir(join(folder, 'node_modules'))
  await symlink(join(folder, 'linked'), join(folder, 'node_modules/linked'))
  const before = codeOf('encoder.ts')
  expect(codeOf('encoder.ts')).toBe(before)
  await write({ 'part.ts': 'export const level: number = 2' })
  expect(codeOf('encoder.ts')).not.toBe(before)
})

test('a file that was read long after its last change is not read again, and an edit of it is noticed', async () => {
  await write({ 'encoder.mjs': "import './part.mjs'", 'part.mjs': 'const a = 1' })
  const hourAgo = new Date(Date.now() - 3_600_000)
  await utimes(join(folder, 'part.mjs'), hourAgo, hourAgo)
  // Its time of change cannot be set: a clock that is ahead makes it long ago.
  vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const before = codeOf('encoder.mjs')
  const reading = vi.spyOn(fs, 'readFileSync')
  onTestFinished(() => {
    reading.mockRestore()
    syncBuiltinESMExports()
  })
  syncBuiltinESMExports()
  expect(codeOf('encoder.mjs')).toBe(before)
  expect(reading.mock.calls.filter(([file]) => String(file).endsWith('.mjs'))).toEqual([])
  // Of the same size and with the same time of its content.
  await utimes(join(folder, 'part.mjs'), hourAgo, hourAgo)
  await write({ 'part.mjs': 'const a = 2' })
  await utimes(join(folder, 'part.mjs'), hourAgo, hourAgo)
  expect(codeOf('encoder.mjs')).not.toBe(before)
})

test('an edit of a file that is not imported changes nothing', async () => {
  await write({ 'encoder.mjs': "import './part.mjs'", 'part.mjs': '', 'other.mjs': '' })
  const before = codeOf('encoder.mjs')
  await write({ 'other.mjs': 'edited', 'package.json': '{"name":"project"}' })
  expect(codeOf('encoder.mjs')).toBe(before)
})

test('two files that change places change the identity, a move of all of them does not', async () => {
  await write({ 'a/encoder.mjs': "import './x.mjs'\nimport './y.mjs'", 'a/x.mjs': '1', 'a/y.mjs': '2' })
  await write({ 'b/encoder.mjs': "import './x.mjs'\nimport './y.mjs'", 'b/x.mjs': '1', 'b/y.mjs': '2' })
  const before = codeOf('a/encoder.mjs')
  expect(codeOf('b/encoder.mjs')).toBe(before)
  await write({ 'a/x.mjs': '2', 'a/y.mjs': '1' })
  expect(codeOf('a/encoder.mjs')).not.toBe(before)
})

test('an installed package counts by its version, as a plugin and as an import of one', async () => {
  const version = (number: string) =>
    write({ 'node_modules/@own/encoder/package.json': `{"name":"@own/encoder","version":"${number}"}` })
  await write({ 'node_modules/@own/encoder/dist/index.js': '1', 'own.mjs': "import '@own/encoder'" })
  await version('1.0.0')
  const code = codeOf('own.mjs')
  expect(codeOf('node_modules/@own/encoder/dist/index.js')).toBe('@own/encoder@1.0.0')
  await write({ 'node_modules/@own/encoder/dist/index.js': '2' })
  expect(codeOf('own.mjs')).toBe(code)
  await version('1.0.1')
  expect(codeOf('node_modules/@own/encoder/dist/index.js')).toBe('@own/encoder@1.0.1')
  expect(codeOf('own.mjs')).not.toBe(code)
})

test('code that a process has loaded keeps its identity there when its file is edited', async () => {
  await write({ 'encoder.mjs': '1' })
  const plugin = definedIn('encoder.mjs')
  const before = identifyCode([plugin])(plugin)
  await write({ 'encoder.mjs': '2' })
  expect(identifyCode([plugin])(plugin)).toBe(before)
})

test('no identity names a folder of this machine', async () => {
  await write({ 'encoder.mjs': "import './part.mjs'", 'part.mjs': '' })
  expect(codeOf('encoder.mjs')).toMatch(/^[0-9a-f]{64}$/)
})
