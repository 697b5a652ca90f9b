import { mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readOnlyMounts } from './mounts.ts'
import { secretMounts } from './secrets.ts'

vi.mock('node:os', async (original) => {
  const os = await original<typeof import('node:os')>()
  return { ...os, homedir: vi.fn(os.homedir) }
})

/** Writes files and links; `-> path` is a link. */
const folderWith = async (files: Readonly<Record<string, string>>) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'linked-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    if (text.startsWith('-> ')) await symlink(text.slice(3).replace('ROOT', folder), path)
    else await writeFile(path, text)
  }
  return folder
}

const shownOf = async (folder: string, config: string | undefined = 'app/vid.config.ts', projectDir = 'app') => {
  const mounts = await readOnlyMounts({
    projectDir: join(folder, projectDir),
    config: config === undefined ? undefined : join(folder, config),
    more: [],
  })
  return mounts.map(({ source, destination }) =>
    [source, ...(destination === undefined ? [] : [destination])].map((path) => path.slice(folder.length)).join(' as '),
  )
}

const manifest = (name: string, dependencies: readonly string[] = []) =>
  JSON.stringify({
    name,
    version: '1.0.0',
    main: 'main.mjs',
    dependencies: Object.fromEntries(dependencies.map((name) => [name, '*'])),
  })

const CONFIG = "import titles from 'titles'\nexport default { plugins: [titles()] }"
const project = { 'app/vid.config.ts': CONFIG, 'app/index.html': '' }

test('a package of a workspace is seen where its link leads, with what it needs, and no package that is not needed', async () => {
  const folder = await folderWith({
    ...project,
    'node_modules/titles': '-> ../packages/titles',
    'node_modules/words': '-> ../packages/words',
    'node_modules/later': '-> ../packages/later',
    'node_modules/unused': '-> ../packages/unused',
    'packages/titles/package.json': manifest('titles', ['later']),
    'packages/titles/main.mjs': "import 'words'",
    'packages/words/package.json': manifest('words'),
    'packages/words/main.mjs': '',
    'packages/later/package.json': manifest('later'),
    'packages/unused/package.json': manifest('unused'),
  })
  expect(await shownOf(folder)).toEqual([
    '/app',
    '/node_modules',
    '/packages/later',
    '/packages/titles',
    '/packages/words',
  ])
})

test('a package that is linked from elsewhere is seen with the packages above it', async () => {
  const folder = await folderWith({
    ...project,
    'app/node_modules/titles': '-> ROOT/elsewhere/titles',
    'elsewhere/titles/package.json': manifest('titles'),
    'elsewhere/titles/main.mjs': "import 'words'",
    'elsewhere/node_modules/words/package.json': manifest('words'),
    'elsewhere/node_modules/words/main.mjs': '',
  })
  expect(await shownOf(folder)).toEqual(['/app', '/elsewhere/node_modules', '/elsewhere/titles'])
})

test('a link that leads to a link is seen under the path that the first one names', async () => {
  const folder = await folderWith({
    ...project,
    'app/node_modules/titles': '-> ROOT/global/titles',
    'global/titles': '-> ROOT/elsewhere/titles',
    'elsewhere/titles/package.json': manifest('titles'),
    'elsewhere/titles/main.mjs': '',
  })
  expect(await shownOf(folder)).toEqual(['/app', '/elsewhere/titles as /global/titles'])
})

test('a folder of packages that is a link itself is seen where it leads', async () => {
  const folder = await folderWith({
    ...project,
    'app/node_modules': '-> ROOT/repo/node_modules',
    'repo/node_modules/titles': '-> ../titles',
    'repo/titles/package.json': manifest('titles'),
    'repo/titles/main.mjs': '',
  })
  expect(await shownOf(folder)).toEqual(['/app', '/repo/node_modules', '/repo/titles'])
})

test('relative links in a folder that is shown under another path lead to what they lead to here', async () => {
  const folder = await folderWith({
    ...project,
    node_modules: '-> ROOT/repo/modules/node_modules',
    'repo/modules/node_modules/titles': '-> ../titles',
    'repo/modules/node_modules/words': '-> ../words',
    'repo/modules/titles/package.json': manifest('titles', ['words']),
    'repo/modules/titles/main.mjs': '',
    'repo/modules/words/package.json': manifest('words'),
  })
  expect(await shownOf(folder)).toEqual(
    expect.arrayContaining([
      '/app',
      '/repo/modules/node_modules as /node_modules',
      '/repo/modules/titles as /titles',
      '/repo/modules/words as /words',
    ]),
  )
})

test('packages of a store that links lead to are seen with those installed beside them', async () => {
  const folder = await folderWith({
    ...project,
    'app/node_modules/titles': '-> ROOT/store/titles@1/node_modules/titles',
    'store/titles@1/node_modules/titles/package.json': manifest('titles', ['words']),
    'store/titles@1/node_modules/words': '-> ../../words@1/node_modules/words',
    'store/words@1/node_modules/words/package.json': manifest('words'),
  })
  expect(await shownOf(folder)).toEqual(['/app', '/store/titles@1/node_modules', '/store/words@1/node_modules'])
})

test('code that is imported from outside of the folder of the config is seen alone, and data is not', async () => {
  const folder = await folderWith({
    'app/vid.config.ts': "import '../shared/titles.ts'\nconst key = new URL('../shared/key.json', import.meta.url)",
    'shared/titles.ts': '',
    'shared/other.ts': '',
    'shared/key.json': '{}',
    'package.json': '{ "type": "module" }',
  })
  expect(await shownOf(folder)).toEqual(['/app', '/package.json', '/shared/titles.ts'])
})

test('a font package that is linked is seen, without a config too: another font would be another picture', async () => {
  const folder = await folderWith({
    'app/index.html': '',
    'node_modules/@fontsource/inter': '-> ../../fonts/inter',
    'node_modules/@vid/fonts-popular': '-> ../../fonts/popular',
    'fonts/inter/package.json': manifest('@fontsource/inter'),
    'fonts/popular/package.json': manifest('@vid/fonts-popular', ['@fontsource/lato']),
    'fonts/popular/node_modules/@fontsource/lato/package.json': manifest('@fontsource/lato'),
  })
  const mounts = await readOnlyMounts({ projectDir: join(folder, 'app'), config: undefined, more: [] })
  expect(mounts.map(({ source }) => source.slice(folder.length))).toEqual([
    '/app',
    '/fonts/inter',
    '/fonts/popular',
    '/node_modules',
  ])
})

test('a link of the project is not followed, since it may be a stranger’s, and is refused for a font', async () => {
  const folder = await folderWith({
    'app/index.html': '',
    'app/node_modules/@fontsource/inter/package.json': manifest('@fontsource/inter', ['victim']),
    'app/node_modules/victim': '-> ROOT/secrets',
    'node_modules/victim': '-> ../secrets',
    'secrets/package.json': manifest('victim'),
  })
  const sight = { projectDir: join(folder, 'app'), config: undefined, more: [] }
  const shownFolders = async (more: readonly string[] = []) =>
    (await readOnlyMounts({ ...sight, more })).map(({ source }) => source.slice(folder.length))
  expect(await shownFolders()).toEqual(['/app', '/node_modules'])
  await symlink(join(folder, 'secrets'), join(folder, 'app/node_modules/@fontsource/lato'))
  await expect(shownFolders()).rejects.toMatchObject({
    code: 'VID_CONTAINER_PACKAGE',
    fault: 'caller',
    message: expect.stringContaining('a link of the project leads to it'),
  })
  expect(await shownFolders([join(folder, 'secrets')])).toEqual(['/app', '/node_modules', '/secrets'])
})

test('a linked package whose folder holds the home of the user is refused', async () => {
  const folder = await folderWith({
    ...project,
    'app/node_modules/titles': '-> ROOT/home',
    'home/package.json': manifest('titles'),
    'home/main.mjs': '',
  })
  vi.mocked(homedir).mockReturnValue(join(folder, 'home'))
  onTestFinished(() => void vi.mocked(homedir).mockReset())
  await expect(shownOf(folder)).rejects.toMatchObject({
    code: 'VID_CONTAINER_PACKAGE',
    fault: 'caller',
    message: expect.stringContaining(`${join(folder, 'home')} holds your home folder`),
  })
})

test('files of secrets are closed in what is seen, from the project up to the top of what is shown', async () => {
  const folder = await folderWith({
    'repo/.env': 'TOKEN=1',
    'repo/.git/config': '',
    'repo/.environment': '',
    'repo/a/.npmrc': '',
    'repo/a/intro/.env.local': '',
    'repo/node_modules/.env': '',
    'above/.env': '',
    'work/.keep': '',
  })
  const mounts = [join(folder, 'repo'), join(folder, 'repo/node_modules')].map((source) => ({
    source,
    isReadOnly: true,
  }))
  const closed = await secretMounts(mounts, [join(folder, 'repo/a/intro')], join(folder, 'work'))
  const paths = closed.map(({ source, destination = '' }) =>
    [source, destination].map((path) => path.slice(folder.length)),
  )
  expect(paths.sort(([, one = ''], [, other = '']) => (one < other ? -1 : 1))).toEqual([
    ['/work/closed-file', '/repo/.env'],
    ['/work/closed-folder', '/repo/.git'],
    ['/work/closed-file', '/repo/a/.npmrc'],
    ['/work/closed-file', '/repo/a/intro/.env.local'],
  ])
  for (const name of ['closed-file', 'closed-folder'])
    expect((await stat(join(folder, 'work', name))).mode & 0o777).toBe(0)
})

test.each([
  ['beside the folder of the config', '../code/titles/main.ts', { code: '-> ROOT/elsewhere' }, 'code'],
  ['in it', './code/titles/main.ts', { 'app/code': '-> ROOT/elsewhere' }, 'elsewhere/titles'],
])(
  'code behind a link %s to a folder of links is refused by the name of the link, and seen once that is a mount',
  async (_, name, link, linkPath) => {
    const folder = await folderWith({
      ...link,
      'app/vid.config.ts': `import '${name}'\nexport default {}`,
      'app/index.html': '',
      'elsewhere/titles': '-> ROOT/far/titles',
      'far/titles/main.ts': '',
    })
    const shownFolders = async (more: readonly string[]) => {
      const sight = { projectDir: join(folder, 'app'), config: join(folder, 'app/vid.config.ts') }
      const mounts = await readOnlyMounts({ ...sight, more: more.map((path) => join(folder, path)) })
      return mounts.map(({ source, destination = source }) => destination.slice(folder.length))
    }
    await expect(shownFolders([])).rejects.toMatchObject({
      code: 'VID_CONTAINER_LINK',
      fault: 'caller',
      message: expect.stringContaining(`${join(folder, linkPath)} is a link`),
    })
    expect(await shownFolders([linkPath])).toContain(`/${linkPath}`)
  },
)
