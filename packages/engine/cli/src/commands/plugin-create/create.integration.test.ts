import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageOrigin } from '@vid/system/origin'
import { expect, test } from 'vitest'
import { eventsOf, makeFolder, vid } from '../../fixtures/project.ts'
import { allowScripts } from '../init/project-files.ts'
import { libraryVersions } from './plugin-package.ts'
import { pluginRoles } from './plugin-roles.ts'

const roles = Object.keys(pluginRoles) as (keyof typeof pluginRoles)[]
const repository = fileURLToPath(new URL('../../../../../../', import.meta.url))

test.each(roles)('a package for the role %s names itself everywhere', async (role) => {
  const folder = await makeFolder({})
  const run = await vid(folder, 'plugin', 'create', role, '@acme/first-try')
  const name = `vid-${pluginRoles[role].prefix}-first-try`
  expect(run).toMatchObject({ code: 0, stdout: `${name}\n` })
  const packageDir = join(folder, name)
  expect(await readdir(packageDir)).toEqual(
    expect.arrayContaining(['.gitignore', 'README.md', 'example', 'package.json', 'src', 'vid.config.ts']),
  )
  const texts = await Promise.all(
    ['src/index.ts', 'src/index.test.ts', 'vid.config.ts', 'README.md', 'package.json'].map((file) =>
      readFile(join(packageDir, file), 'utf8'),
    ),
  )
  expect(texts.join('\n')).not.toMatch(/template/i)
  expect(JSON.parse(texts[4] ?? '')).toMatchObject({
    name: `@acme/${name}`,
    description: expect.stringMatching(/^[A-Z].*\.$/),
    license: 'MIT',
    keywords: expect.arrayContaining(['vid-plugin']),
  })
  // Not private like the temporary folder that it was created in.
  expect((await stat(packageDir)).mode & 0o777).toBe(0o777 & ~process.umask())
})

test('a new plugin uses the kernel of the project that installs it', async () => {
  const folder = await makeFolder({})
  await vid(folder, 'plugin', 'create', 'encoder', 'mine')
  const packageDir = join(folder, 'vid-encoder-mine')
  const manifest = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'))
  expect(Object.keys(manifest.dependencies)).toEqual(['@vid/ffmpeg'])
  expect(Object.keys(manifest.peerDependencies)).toEqual(['@vid/kernel'])
  const range = manifest.peerDependencies['@vid/kernel']
  expect(manifest.devDependencies['@vid/kernel']).toBe(packageOrigin().stated('@vid/kernel', range, packageDir))
  expect(range).toMatch(/^\^\d/)
  expect(manifest.allowScripts).toEqual(allowScripts)
})

test('an existing folder stays unchanged, and no temporary folder is left beside it', async () => {
  const folder = await makeFolder({ 'vid-encoder-mine/notes.txt': 'precious' })
  const { code, stderr } = await vid(folder, 'plugin', 'create', 'encoder', 'mine')
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('VID_PLUGIN_FOLDER') })
  expect(await readdir(join(folder, 'vid-encoder-mine'))).toEqual(['notes.txt'])
  expect((await readdir(folder)).filter((name) => name.startsWith('vid-'))).toEqual(['vid-encoder-mine'])
})

test('an existing file at the path is reported', async () => {
  const folder = await makeFolder({})
  await writeFile(join(folder, 'vid-preset-mine'), '')
  const { code, stderr } = await vid(folder, 'plugin', 'create', 'preset', 'mine')
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('something is there already') })
})

test.each([
  [['encodr', 'mine'], 'VID_PLUGIN_ROLE_UNKNOWN', 'Did you mean "encoder"?'],
  [['toString', 'mine'], 'VID_PLUGIN_ROLE_UNKNOWN', 'known: capture, encoder'],
  [['encoder', '../mine'], 'VID_PLUGIN_NAME_INVALID', '"../mine" is not a plugin name'],
  [['encoder', 'Mine'], 'VID_PLUGIN_NAME_INVALID', '"Mine" is not a plugin name'],
  [['encoder'], 'VID_USAGE', '"vid plugin create" was called wrongly: it needs <role> and <name>.'],
])('%j is refused in words', async (words, code, text) => {
  const folder = await makeFolder({})
  const run = await vid(folder, 'plugin', 'create', ...words)
  expect(run.code).toBe(2)
  expect(run.stderr).toContain(code)
  expect(run.stderr).toContain(text)
})

test('the help names every role', async () => {
  const { stdout } = await vid(await makeFolder({}), 'plugin', 'create', '--help')
  const roles = /Roles: ([^.]+)\./s.exec(stdout)?.[1] ?? ''
  for (const role of Object.keys(pluginRoles)) expect(roles).toContain(role)
})

test('an incomplete command is answered with what is missing, and its help shows the whole one', async () => {
  const folder = await makeFolder({})
  const { stderr } = await vid(folder, 'plugin')
  expect(stderr).toContain('"vid plugin" was called wrongly: one of its commands is missing: create.')
  expect(stderr).toContain('Run "vid plugin --help"')
  expect((await vid(folder, 'plugin', '--help')).stdout).toContain('usage: vid plugin create <role> <name>')
})

test.each([
  ['@me/vid-encoder-x', '@me/vid-encoder-x'],
  ['vid-x', 'vid-encoder-x'],
  ['encoder-x', 'vid-encoder-x'],
  ['encoder', 'vid-encoder-encoder'],
])('a full package name is used unchanged: %s', async (name, packageName) => {
  const folder = await makeFolder({})
  const run = await vid(folder, 'plugin', 'create', 'encoder', name)
  expect(run).toMatchObject({ code: 0 })
  const packageDir = join(folder, packageName.replace('@me/', ''))
  expect(JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'))).toMatchObject({ name: packageName })
  // It is named for what it makes, whatever the package is to make later.
  expect(await readFile(join(packageDir, 'src/index.ts'), 'utf8')).toContain(`formats: ['apng']`)
  expect(await readFile(join(packageDir, 'vid.config.ts'), 'utf8')).toContain(`format: 'apng'`)
})

test('the help of the first word shows the help of the whole command', async () => {
  const help = await vid(await makeFolder({}), 'plugin', '--help')
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('vid plugin create <role> <name>') })
})

test('--json reports the folder and the files', async () => {
  const folder = await makeFolder({})
  const { stdout } = await vid(folder, 'plugin', 'create', 'target', 'farm', '--json')
  expect(eventsOf(stdout)[0]).toMatchObject({
    type: 'plugin-create',
    folder: join(folder, 'vid-target-farm'),
    package: 'vid-target-farm',
    files: expect.arrayContaining(['src/index.ts', 'example/index.html']),
  })
})

test('new packages depend on the versions that this repository is tested with', async () => {
  const read = async (folder: string) => JSON.parse(await readFile(join(repository, folder, 'package.json'), 'utf8'))
  const { devDependencies } = await read('.')
  const puppeteer = await read('plugins/capture-puppeteer')
  const versions: Record<string, string> = { ...devDependencies, ...puppeteer.devDependencies }
  for (const [name, version] of Object.entries(libraryVersions)) expect(versions[name], name).toBe(version)
})
