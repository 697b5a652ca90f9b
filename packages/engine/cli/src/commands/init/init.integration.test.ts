import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listProject } from '@vid/project'
import { packageOrigin } from '@vid/system/origin'
import { expect, test } from 'vitest'
import { eventsOf, makeFolder as makeScratch, vid } from '../../fixtures/project.ts'
import { npmNameOf } from './project-files.ts'
import { templates } from './templates.ts'

const GENERATED = ['.gitignore', 'AGENTS.md', 'README.md', 'package.json', 'vid.config.ts']

/** A folder with these files and nothing else. */
const makeFolder = async (files: Readonly<Record<string, string>>) => {
  const scratch = await makeScratch(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`here/${path}`, text])),
  )
  const folder = join(scratch, 'here')
  await mkdir(folder, { recursive: true })
  return folder
}

test.each(Object.keys(templates))('the template %s makes a project with everything that it names', async (template) => {
  const folder = await makeFolder({})
  expect(await vid(folder, 'init', 'my film', '--template', template)).toMatchObject({
    code: 0,
    stdout: 'my film\n',
  })
  const project = join(folder, 'my film')
  expect(await readdir(project)).toEqual(expect.arrayContaining([...GENERATED, 'index.html']))
  const { name, scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
  expect(name).toBe('my-film')
  const named = [
    ...Object.values<string>(scripts)
      .join('\n')
      .matchAll(/--batch (\S+)/g),
  ].map(([, file]) => file)
  const page = await readFile(join(project, 'index.html'), 'utf8')
  const sources = [...page.matchAll(/src="(assets\/[^"]+)"/g)].map(([, file]) => file)
  for (const file of [...named, ...sources]) expect(existsSync(join(project, file ?? '')), file).toBe(true)
  // Not private like the temporary folder that it was made in.
  expect((await stat(project)).mode & 0o777).toBe(0o777 & ~process.umask())
})

test.each([
  ['kinetic-type', '3.15.0'],
  ['blank', undefined],
])('the template %s installs the GSAP that it loads: %s', async (template, version) => {
  const folder = await makeFolder({})
  await vid(folder, 'init', 'film', '--template', template)
  const { dependencies } = JSON.parse(await readFile(join(folder, 'film/package.json'), 'utf8'))
  expect(dependencies?.gsap).toBe(version)
  expect(existsSync(join(folder, 'film/.vidignore'))).toBe(version !== undefined)
})

test('a project that begins with GSAP sends it along, without its source maps', async () => {
  const folder = await makeFolder({
    'film/node_modules/gsap/package.json': '{}',
    'film/node_modules/gsap/dist/gsap.min.js': '',
    'film/node_modules/gsap/dist/gsap.min.js.map': '',
    'film/node_modules/other/package.json': '{}',
  })
  await vid(folder, 'init', 'begun', '--template', 'kinetic-type')
  await copyFile(join(folder, 'begun/.vidignore'), join(folder, 'film/.vidignore'))
  const paths = (await listProject(join(folder, 'film'))).map(({ path }) => path)
  expect(paths.filter((path) => path.startsWith('node_modules'))).toEqual([
    'node_modules/gsap/dist/gsap.min.js',
    'node_modules/gsap/package.json',
  ])
})

test('a project takes vid from where npm finds it: as long as no registry has it, from the clone', async () => {
  const folder = await makeFolder({})
  const { stderr } = await vid(folder, 'init', 'film')
  const project = join(folder, 'film')
  const { devDependencies } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
  const { stated, command } = packageOrigin()
  expect(devDependencies['@vid/cli']).toBe(stated('@vid/cli', devDependencies['@vid/cli'], project))
  expect(stderr).toContain(`\`${command} init --list\``)
  const [, path] = /^file:(.*)$/.exec(devDependencies['@vid/cli']) ?? []
  if (path !== undefined) expect(existsSync(join(project, path, 'bin/vid.js'))).toBe(true)
})

test('npm is told not to ask about the installation scripts of what comes with vid', async () => {
  const folder = await makeFolder({})
  await vid(folder, 'init', 'film')
  const lock = new URL('../../../../../../package-lock.json', import.meta.url)
  const { packages } = JSON.parse(await readFile(lock, 'utf8')) as {
    readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
  const scripted = Object.entries(packages)
    .filter(([, { hasInstallScript, dev, os }]) => hasInstallScript && !dev && (!os || `${os}` === 'linux'))
    .filter(([, { cpu }]) => !cpu || `${cpu}` === 'x64')
    .map(([place]) => place.replace(/^.*node_modules\//, ''))
  const { allowScripts } = JSON.parse(await readFile(join(folder, 'film/package.json'), 'utf8'))
  expect(scripted.length).toBeGreaterThan(0)
  expect(allowScripts).toEqual(Object.fromEntries(scripted.map((name) => [name, false])))
})

test('without a name, an empty folder is used as it is, also one under git', async () => {
  const folder = await makeFolder({})
  await mkdir(join(folder, '.git'))
  const before = await stat(folder)
  expect(await vid(folder, 'init')).toMatchObject({ code: 0, stdout: `${folder}\n` })
  expect((await stat(folder)).ino).toBe(before.ino)
  expect((await readdir(folder)).sort()).toEqual(['.git', ...GENERATED, 'index.html'].sort())
})

test.each([
  ['a folder with files', { 'film/notes.txt': 'precious' }, 'it is not empty and has notes.txt'],
  ['a file', { film: 'precious' }, 'there is a file'],
])('%s at the place stays unchanged, and nothing is left beside it', async (_what, files, reason) => {
  const folder = await makeFolder(files)
  const { code, stderr } = await vid(folder, 'init', 'film')
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(reason) })
  expect(stderr).toContain('VID_INIT_TAKEN')
  expect(await readdir(folder)).toEqual(['film'])
  for (const [path, text] of Object.entries(files)) expect(await readFile(join(folder, path), 'utf8')).toBe(text)
})

test('an unknown template is answered with the known ones', async () => {
  const folder = await makeFolder({})
  const { code, stderr } = await vid(folder, 'init', 'film', '--template', 'lower-thrid')
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('lower-third') })
  expect(await readdir(folder)).toEqual([])
})

test('--list shows every template and makes nothing', async () => {
  const folder = await makeFolder({})
  const { stdout } = await vid(folder, 'init', 'film', '--list')
  expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([...Object.keys(templates), ''])
  const listed = await vid(folder, 'init', '--list', '--json')
  expect(eventsOf(listed.stdout)[0]).toMatchObject({ type: 'init-templates' })
  expect(await readdir(folder)).toEqual([])
})

test('--json reports the folder and the files', async () => {
  const folder = await makeFolder({})
  const { stdout } = await vid(folder, 'init', 'a/b/film', '--json')
  expect(eventsOf(stdout)[0]).toEqual({
    type: 'init',
    folder: join(folder, 'a/b/film'),
    template: 'blank',
    files: [...GENERATED, 'index.html'].sort(),
  })
})

test.each([
  ['My Film: Été', 'my-film-ete'],
  ['東京', 'my-video'],
  ['--', 'my-video'],
  ['node_modules', 'node-modules-video'],
  ['x'.repeat(300), 'x'.repeat(100)],
])('the folder %j becomes the package %j', (folder, name) => {
  expect(npmNameOf(folder)).toBe(name)
})
