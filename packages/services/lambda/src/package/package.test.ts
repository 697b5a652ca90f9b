import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkPackage, stageFiles } from './check-package.ts'
import { closePackages } from './closure.ts'
import { bundleConfig } from './config-bundle.ts'
import { openInstalled } from './installed.ts'
import { layOutPackages } from './layout.ts'
import { checkNativeCode } from './native-code.ts'
import { noticesText } from './notices.ts'
import { packageFilesOf } from './package-files.ts'
import { followImports } from './reach.ts'
import { writeZip } from './zip.ts'

const { signal } = new AbortController()

const makeFolder = async (files: Readonly<Record<string, string>> = {}): Promise<string> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'vid-package-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({ name, version: '1.0.0', type: 'module', exports: './index.js', ...more })

/** A package that says its name, and what those that it imports say. */
const speaking = (place: string, ...imports: readonly string[]): Record<string, string> => {
  const name = place.split('node_modules/').at(-1) ?? ''
  const lines = imports.map((specifier, index) => `import i${index} from '${specifier}'`)
  const dependencies = Object.fromEntries(imports.map((name) => [name, '1']))
  const identifiers = imports.map((_, index) => `i${index}`).join(', ')
  return {
    [`${place}/package.json`]: manifest(name, { dependencies }),
    [`${place}/index.js`]: `${lines.join('\n')}\nexport default ['${place}', ${identifiers}]\n`,
  }
}

/** Copies what a package may load to another folder. */
const copyOf = async (folder: string, specifier: string) => {
  const installed = openInstalled()
  const start = { specifier, from: folder }
  const appFolder = await realpath(join(folder, 'node_modules', specifier))
  const reached = await followImports({ start, folder: appFolder, config: [] })
  const closure = await closePackages([start], reached, installed)
  const placed = layOutPackages(closure)
  const files = (
    await Promise.all(placed.map((placedPackage) => packageFilesOf(placedPackage.installed, placedPackage.place)))
  ).flat()
  const copy = await makeFolder()
  await stageFiles(files, copy)
  return { copy, closure, installed, placed, files, paths: files.map(({ path }) => path) }
}

const outputOf = (folder: string, specifier: string): unknown =>
  JSON.parse(
    execFileSync(
      process.execPath,
      ['--input-type=module', '-e', `import it from '${specifier}'; console.log(JSON.stringify(it))`],
      { cwd: folder, encoding: 'utf8' },
    ),
  )

test('each import of the copy finds the package that it finds where it is installed, also where versions differ', async () => {
  const folder = await makeFolder({
    ...speaking('node_modules/app', 'one', 'two', 'shared'),
    ...speaking('node_modules/one', 'shared', 'leaf'),
    ...speaking('node_modules/one/node_modules/shared', 'leaf'),
    ...speaking('node_modules/two', 'shared'),
    ...speaking('node_modules/two/node_modules/shared', 'leaf'),
    ...speaking('node_modules/two/node_modules/shared/node_modules/leaf', 'other'),
    ...speaking('node_modules/other'),
    ...speaking('node_modules/shared', 'leaf'),
    ...speaking('node_modules/leaf'),
  })
  const { copy } = await copyOf(folder, 'app')
  expect(outputOf(copy, 'app')).toEqual(outputOf(folder, 'app'))
})

test('only what may be loaded is copied: named, imported, or unknown since names are computed', async () => {
  const dependencies = { used: '1', named: '1', unused: '1' }
  const computing = { dependencies: { 'hidden-linux': '1' }, optionalDependencies: { 'hidden-mac': '1' } }
  const folder = await makeFolder({
    'node_modules/app/package.json': manifest('app', { dependencies }),
    'node_modules/app/index.js': "import 'used'\nexport const font = 'named/font.ttf'\n",
    'node_modules/app/other.js': "import 'unused'",
    'node_modules/app/index.d.ts': '',
    'node_modules/app/index.js.map': '',
    'node_modules/app/README.md': '',
    'node_modules/app/LICENSE.md': '',
    'node_modules/used/package.json': manifest('used', computing),
    'node_modules/used/index.js': ['export const load = (name) =>', 'import(`hidden-$', '{name}`)'].join(''),
    'node_modules/named/package.json': manifest('named'),
    'node_modules/named/font.ttf': '',
    'node_modules/unused/package.json': manifest('unused'),
    'node_modules/hidden-linux/package.json': manifest('hidden-linux', { os: ['linux'] }),
    'node_modules/hidden-mac/package.json': manifest('hidden-mac', { os: ['darwin'] }),
  })
  const { paths } = await copyOf(folder, 'app')
  expect(paths.sort()).toEqual([
    ...['LICENSE.md', 'index.js', 'other.js', 'package.json'].map((name) => `node_modules/app/${name}`),
    'node_modules/hidden-linux/package.json',
    ...['font.ttf', 'package.json'].map((name) => `node_modules/named/${name}`),
    ...['index.js', 'package.json'].map((name) => `node_modules/used/${name}`),
  ])
})

test('what starts renders is loaded by a config, and nothing is copied that it would need to run', async () => {
  const folder = await makeFolder({
    'node_modules/app/package.json': manifest('app', {
      exports: { '.': './sdk.js', './function': './function.js' },
      dependencies: { 'aws-client': '1', linked: '1' },
    }),
    'node_modules/app/function.js': 'export default 1\n',
    'node_modules/app/sdk.js': "import 'linked'\nexport const start = () => import('aws-client')\n",
    'node_modules/linked/package.json': manifest('linked'),
    'node_modules/linked/index.js': '',
    'node_modules/aws-client/package.json': manifest('aws-client'),
    'node_modules/aws-client/index.js': '',
    'node_modules/target/package.json': manifest('target', { dependencies: { app: '1' } }),
    'node_modules/target/index.js': "export { start } from 'app'\n",
  })
  const appFolder = await realpath(join(folder, 'node_modules/app'))
  const start = { specifier: 'app/function', from: folder }
  const config = [{ specifier: 'target', from: folder }]
  const reached = await followImports({ start, folder: appFolder, config })
  const { packages } = await closePackages([start, ...config], reached, openInstalled())
  const names = [...packages.values()].map(({ installed }) => installed.name)
  expect(names.sort()).toEqual(['app', 'linked', 'target'])
})

test('a linked package is copied as it would be published, with a version that changes with its files', async () => {
  const workspace = await makeFolder({
    'package.json': manifest('linked', { exports: './dist/index.js', files: ['dist', '!dist/**/*.tmp'] }),
    'dist/index.js': 'export default 1\n',
    'dist/deep/left.tmp': '',
    'src/index.ts': '',
  })
  const folder = await makeFolder({ 'node_modules/.keep': '' })
  await symlink(workspace, join(folder, 'node_modules/linked'))
  const versionOf = async () => {
    const { copy, paths } = await copyOf(folder, 'linked')
    expect(paths.sort()).toEqual(['node_modules/linked/dist/index.js', 'node_modules/linked/package.json'])
    const text = await readFile(join(copy, 'node_modules/linked/package.json'), 'utf8')
    return (JSON.parse(text) as { readonly version: string }).version
  }
  const before = await versionOf()
  expect(before).toMatch(/^1\.0\.0\+[0-9a-f]{16}$/)
  expect(await versionOf()).toBe(before)
  await writeFile(join(workspace, 'dist/index.js'), 'export default 2\n')
  expect(await versionOf()).not.toBe(before)
})

test('the notices of a function name every package with its licence and the files of its texts', async () => {
  const workspace = await makeFolder({
    'package.json': manifest('linked', { license: 'MIT', files: ['index.js'], dependencies: { other: '1' } }),
    'index.js': 'export const load = (name) => import(name)\n',
    LICENSE: 'Permission is granted.',
    THIRD_PARTY_NOTICES: 'What is packed in.',
    'node_modules/other/package.json': manifest('other', { license: 'GPL-3.0' }),
  })
  const folder = await makeFolder({ 'node_modules/.keep': '' })
  await symlink(workspace, join(folder, 'node_modules/linked'))
  const { placed, files, paths } = await copyOf(folder, 'linked')
  expect(paths).toContain('node_modules/linked/THIRD_PARTY_NOTICES')
  const text = noticesText(placed, files)
  const texts = ['LICENSE', 'THIRD_PARTY_NOTICES'].map((name) => `\n  node_modules/linked/${name}`)
  expect(text).toContain(`- linked 1.0.0 (MIT)${texts.join('')}\n- other 1.0.0 (GPL-3.0)\n`)
})

test('what container images are built from is left out', async () => {
  const folder = await makeFolder({
    'node_modules/@vid/container/package.json': manifest('@vid/container', { files: ['dist', 'recipe'] }),
    'node_modules/@vid/container/index.js': 'export default 1\n',
    'node_modules/@vid/container/recipe/packages/all.tgz': 'large',
    'node_modules/@vid/container/dist/recipe/kept.js': '',
  })
  const { paths } = await copyOf(folder, '@vid/container')
  expect(paths.filter((path) => path.includes('recipe'))).toEqual(['node_modules/@vid/container/dist/recipe/kept.js'])
})

test('hidden files of a linked package that lists none of its files stay where they are', async () => {
  const developed = await makeFolder({
    'package.json': manifest('linked'),
    'index.js': 'export default 1',
    '.env': 'TOKEN=hush',
    'lib/.npmrc': '//registry.example/:_authToken=hush',
    '.aws/credentials': 'hush',
  })
  const folder = await makeFolder({ 'node_modules/.keep': '' })
  await symlink(developed, join(folder, 'node_modules/linked'))
  const { paths, copy } = await copyOf(folder, 'linked')
  expect(paths.sort()).toEqual(['node_modules/linked/index.js', 'node_modules/linked/package.json'])
  expect(outputOf(copy, 'linked')).toBe(1)
})

test('packages whose native code is for another system are refused by their names', async () => {
  const folder = await makeFolder({
    'node_modules/app/package.json': manifest('app', {
      optionalDependencies: { 'app-mac': '1', 'app-linux': '1' },
    }),
    'node_modules/app/index.js': 'export const load = (name) => import(name)\n',
    'node_modules/app/build/addon.node': 'MZ, a library of Windows',
    'node_modules/app-mac/package.json': manifest('app-mac', { os: ['darwin'], cpu: ['arm64'] }),
  })
  const { closure, files, installed } = await copyOf(folder, 'app')
  await expect(checkNativeCode(closure, files, installed)).rejects.toMatchObject({
    code: 'VID_LAMBDA_PACKAGE_NATIVE',
    facts: { problems: ['app has app-mac only', expect.stringContaining('addon.node')] },
  })
})

test('a config becomes one file with what is its own, and leaves installed packages where they are', async () => {
  const folder = await makeFolder({
    'vid.config.ts': [
      "import { plugin } from './parts/plugin.ts'",
      "import settings from './settings.json' with { type: 'json' }",
      "import { installed } from 'installed/part'",
      "import { written } from 'written'",
      'export default { plugins: [plugin, installed, written], render: settings as object }',
    ].join('\n'),
    'parts/plugin.ts': "export const plugin: string = 'own plugin'",
    'settings.json': '{ "fps": 25 }',
    'node_modules/installed/package.json': manifest('installed', { exports: { './part': './part.js' } }),
    'node_modules/installed/part.js': "export const installed = 'never bundled'",
    'workspace/written/package.json': manifest('written', { exports: './src/index.ts' }),
    'workspace/written/src/index.ts': "export const written: string = 'from a workspace'",
  })
  await symlink(join(folder, 'workspace/written'), join(folder, 'node_modules/written'))
  const { name, content, imports } = await bundleConfig(join(folder, 'vid.config.ts'))
  expect(name).toBe('vid.config.mjs')
  expect(imports).toEqual([{ specifier: 'installed/part', from: folder }])
  for (const text of ['own plugin', 'fps: 25', 'from a workspace', 'from "installed/part"'])
    expect(content).toContain(text)
  expect(content).not.toContain('never bundled')
  await writeFile(join(folder, 'vid.config.ts'), "import 'not-installed'")
  await expect(bundleConfig(join(folder, 'vid.config.ts'))).rejects.toMatchObject({
    code: 'VID_LAMBDA_PACKAGE_CONFIG',
    message: expect.stringContaining('not-installed'),
  })
})

test('a package that does not start in a process of its own says why', async () => {
  const folder = await makeFolder({
    'package.json': '{ "type": "module" }',
    'index.mjs': `setInterval(() => {}, 1000)
export const check = async () => ({ formats: ['mp4', String(process.env.SECRET)] })`,
  })
  process.env.SECRET = 'of this environment'
  onTestFinished(() => void delete process.env.SECRET)
  expect(await checkPackage(folder, folder, signal)).toEqual({ formats: ['mp4', 'undefined'] })
  await writeFile(join(folder, 'index.mjs'), "throw new Error('the config needs a key')")
  await expect(checkPackage(folder, folder, signal)).rejects.toMatchObject({
    code: 'VID_LAMBDA_PACKAGE_BROKEN',
    message: expect.stringContaining('the config needs a key'),
  })
})

test('equal files make equal zips, whenever they were written and in whatever order they come', async () => {
  const folder = await makeFolder({ 'a.js': 'one', 'b.txt': 'two' })
  const fileOf = (path: string) => ({
    path,
    from: join(folder, path),
    bytes: 3,
    isExecutable: path === 'a.js',
  })
  const files = [fileOf('a.js'), fileOf('b.txt')]
  const first = await writeZip(files, join(folder, 'first.zip'), signal)
  await utimes(join(folder, 'a.js'), 1, 1)
  const second = await writeZip(files.toReversed(), join(folder, 'second.zip'), signal)
  expect(second).toEqual(first)
})
