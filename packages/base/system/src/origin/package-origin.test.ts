import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cloneOf, originFromClone } from './package-origin.ts'

/** A folder with manifests at these paths, by name. */
const makeTree = (manifests: Readonly<Record<string, string>>): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vid origin ')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [path, name] of Object.entries(manifests)) {
    mkdirSync(join(folder, path), { recursive: true })
    writeFileSync(join(folder, path, 'package.json'), JSON.stringify({ name }))
  }
  return folder
}

const CLONE = {
  vid: 'vid-workspace',
  'vid/packages/engine/cli': '@vid/cli',
  'vid/packages/base/system': '@vid/system',
  'vid/plugins/deliver-s3': '@vid/deliver-s3',
  'vid/presets/aws': '@vid/preset-aws',
}

test('sources and what is built of them are in the clone; an installed package in a project of it is not', () => {
  const folder = makeTree({ ...CLONE, 'vid/film/node_modules/@vid/system': '@vid/system' })
  const clone = join(folder, 'vid')
  expect(cloneOf(join(clone, 'packages/base/system/src/origin/package-origin.ts'))).toBe(clone)
  expect(cloneOf(join(clone, 'packages/base/system/dist/chunk.js'))).toBe(clone)
  expect(cloneOf(join(clone, 'film/node_modules/@vid/system/dist/chunk.js'))).toBeUndefined()
})

test('a folder of the same name in another repository is no clone', () => {
  const folder = makeTree({ other: 'other', 'other/packages/base/system': '@vid/system' })
  expect(cloneOf(join(folder, 'other/packages/base/system/dist/chunk.js'))).toBeUndefined()
})

test('from a clone, a project names folders of it, and a command line quotes them', () => {
  const folder = makeTree(CLONE)
  const { stated, install, command, isClone } = originFromClone(join(folder, 'vid'))
  expect({ command, isClone }).toEqual({ command: 'npx vid', isClone: true })
  expect(stated('@vid/cli', '^0.1.0', join(folder, 'my film'))).toBe('file:../vid/packages/engine/cli')
  expect(stated('@vid/preset-aws', '^0.1.0', join(folder, 'films/one'))).toBe('file:../../vid/presets/aws')
  expect(install('@vid/cli@0.1.0')).toBe(`npm install '${folder}/vid/packages/engine/cli'`)
  expect(install('@vid/deliver-s3', '@acme/other')).toBe(`npm install '${folder}/vid/plugins/deliver-s3' @acme/other`)
})

test('a project behind a link names the clone from where npm looks for it', () => {
  const folder = makeTree({ ...CLONE, 'disk/films/deep': 'films' })
  symlinkSync(join(folder, 'disk/films/deep'), join(folder, 'films'))
  const { stated } = originFromClone(join(folder, 'vid'))
  expect(stated('@vid/cli', '^0.1.0', join(folder, 'films/new'))).toBe('file:../../../../vid/packages/engine/cli')
})

test('without a clone, names and versions are those of the registry', () => {
  const { stated, install, command, isClone } = originFromClone(undefined)
  expect({ command, isClone }).toEqual({ command: 'npx @vid/cli', isClone: false })
  expect(stated('@vid/cli', '^0.1.0', '/films/new')).toBe('^0.1.0')
  expect(install('@vid/producer', '@vid/client')).toBe('npm install @vid/producer @vid/client')
})

test('a name that the clone does not have stays as it is', () => {
  const { stated, install } = originFromClone(join(makeTree(CLONE), 'vid'))
  expect(install('@acme/deliver@1.0.0')).toBe('npm install @acme/deliver@1.0.0')
  expect(install('@vid/deliver-s4')).toBe('npm install @vid/deliver-s4')
  expect(stated('@vid/deliver-s4', '^0.1.0', '/films')).toBe('^0.1.0')
})
