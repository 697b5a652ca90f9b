import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  circles,
  crowdedFolders,
  exceptIn,
  exceptSizes,
  foreignImports,
  longFunctions,
  looseCodes,
  MAX_FOLDER_FILES,
  MAX_FUNCTION_LINES,
  machinePaths,
  risingImports,
  roomCircles,
  unnamedRooms,
} from './rules.mjs'
import { importsOf, readTree } from './tree.mjs'

const treeOf = (files) => new Map(Object.entries(files))

test('a warning with a code outside the tables is named, also on one line and when its code is put together', () => {
  const tree = treeOf({
    'src/sound.ts': "warn({\n  code: 'VID_SOUND_LOST',\n  message,\n})\nif (error.code === 'VID_SOUND_LOST') stop()\n",
    'src/page.ts': "warn({ plugin, code: 'VID_PAGE_LOST', message })\nconst code = { code: `VID_\u0024{kind}` }\n",
    'src/page.test.ts': "expect(warning).toEqual({ code: 'VID_PAGE_LOST' })\n",
  })
  expect(looseCodes(tree)).toEqual([
    'src/sound.ts:2 raises VID_SOUND_LOST without a table: use defineErrors or defineWarnings',
    'src/page.ts:1 raises VID_PAGE_LOST without a table: use defineErrors or defineWarnings',
    'src/page.ts:2 raises VID_ without a table: use defineErrors or defineWarnings',
  ])
})

describe('circles', () => {
  test('two files that import each other are a circle, also when one needs only a type', () => {
    const tree = treeOf({
      'src/frame.ts': "import type { Clip } from './clip.ts'\nexport interface Frame { clip: Clip }\n",
      'src/clip.ts': "import { first } from './frame.ts'\nexport type Clip = typeof first\n",
    })
    expect(circles(tree)).toEqual(['files import each other in a circle: src/clip.ts → src/frame.ts → src/clip.ts'])
  })

  test('the shortest way round is named, with the number of other files in it', () => {
    const tree = treeOf({
      'a.ts': "export * from './deep/b.ts'",
      'deep/b.ts': "export const load = () => import('./c.ts')",
      'deep/c.ts': "import { b } from './b.ts'\nimport '../a.ts'",
    })
    expect(circles(tree)).toEqual([
      'files import each other in a circle: deep/b.ts → deep/c.ts → deep/b.ts (3 files reach each other)',
    ])
  })

  test('files that share a third, examples in comments, and tests make no circle', () => {
    const tree = treeOf({
      'one.ts': "import { base } from './base.ts'\nimport { other } from './other.ts'",
      'other.ts': "// import './one.ts'\n/**\n * import './one.ts'\n */\nexport { base } from './base.ts'",
      'base.ts': 'export const base = 1',
      'base.test.ts': "import './one.ts'",
    })
    expect(circles(tree)).toEqual([])
  })
})

describe('rooms', () => {
  test('rooms that import each other over a third are named with their imports', () => {
    const tree = treeOf({
      'page/page.ts': "import type { Port } from '../driver/port.ts'",
      'driver/port.ts': "export * from '../network/policy.ts'",
      'network/policy.ts': "import '../page/links.ts'",
      'page/links.ts': 'export const links = []',
      'session/session.ts': "import '../page/page.ts'",
    })
    expect(roomCircles(tree)).toEqual([
      {
        key: 'driver network page',
        text: 'rooms import each other in a circle: driver, network, page (driver/port.ts → network/policy.ts; network/policy.ts → page/links.ts; page/page.ts → driver/port.ts)',
      },
    ])
  })

  test('a root file that imports a room, also over another one, must not be imported by a room', () => {
    const tree = treeOf({
      'index.ts': "export * from './render.ts'\nexport * from './page/page.ts'",
      'render.ts': "import './warnings.ts'",
      'warnings.ts': "import './sound/tone.ts'",
      'sound/tone.ts': "import { fail } from '../errors.ts'",
      'errors.ts': 'export const fail = 1',
      'page/page.ts': "import '../render.ts'",
    })
    expect(roomCircles(tree)).toEqual([
      {
        key: 'render.ts',
        text: 'render.ts imports rooms and is imported by page/page.ts: a root file is ground or roof',
      },
    ])
  })

  test('a room that nothing imports may be above the roof', () => {
    const tree = treeOf({
      'index.ts': "export * from './server.ts'",
      'server.ts': "import './queue/queue.ts'",
      'queue/queue.ts': 'export const queue = 1',
      'commands/serve.ts': "import '../server.ts'",
    })
    expect(roomCircles(tree)).toEqual([])
  })

  test('ground, roof, tests and the folders of one room pass', () => {
    const tree = treeOf({
      'index.ts': "export * from './page/page.ts'",
      'page/page.ts': "import './events/click.ts'",
      'page/events/click.ts': "import '../link.ts'\nimport '../../errors.ts'",
      'page/link.ts': 'export const link = 1',
      'errors.ts': 'export const fail = 1',
      'page/page.test.ts': "import '../index.ts'\nimport '../sound/tone.ts'",
      'sound/tone.ts': "import '../page/link.ts'",
    })
    expect(roomCircles(tree)).toEqual([])
  })
})

test('exceptions pass, and one that is mended must leave the list', () => {
  const problems = [
    { key: 'one', text: 'one is long' },
    { key: 'two', text: 'two is long' },
  ]
  expect(exceptIn(problems, ['one', 'three'])).toEqual([
    'two is long',
    '"three" is mended: remove it from scripts/structure/exceptions.json',
  ])
  expect(exceptIn(problems, ['one', 'two'])).toEqual([])
})

test('an exception with a size may not grow, and its size follows when it shrinks', () => {
  const problems = ['one', 'two', 'three', 'four'].map((key) => ({ key, text: `${key} has 70 lines`, size: 70 }))
  expect(exceptSizes(problems, { one: 70, two: 65, three: 90, five: 80 })).toEqual([
    'two has 70 lines, and had 65: an exception may not grow',
    'three has 70 lines, and had 90: node scripts/check-structure.mjs --shrink',
    'four has 70 lines',
    '"five" is mended: remove it from scripts/structure/exceptions.json',
  ])
})

test('imports are found over several lines, dynamic, of types and passed on', () => {
  const text = [
    'import {',
    '  first,',
    '  type Second,',
    "} from './a.ts'",
    "export type { Third } from './b.ts'",
    "import './c.ts'",
    "const later = () => import('./d.ts')",
    "type Fourth = import('./e.ts').Fourth",
    'export const name = \'taken from "./never.ts"\'',
  ].join('\n')
  expect(importsOf(text)).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts'])
})

describe('crowded folders', () => {
  const files = (count, name) => Array.from({ length: count }, (_, n) => [`src/${name(n)}`, ''])

  test('a folder with one file too many is named', () => {
    const tree = new Map(files(MAX_FOLDER_FILES + 1, (n) => `file-${n}.ts`))
    expect(crowdedFolders(tree)).toEqual([
      {
        key: 'src',
        text: `src holds ${MAX_FOLDER_FILES + 1} files, at most ${MAX_FOLDER_FILES}: give it folders by idea`,
      },
    ])
  })

  test('tests and files of inner folders do not count', () => {
    const most = files(MAX_FOLDER_FILES, (n) => `file-${n}.ts`)
    const tests = files(20, (n) => `file-${n}.test.ts`)
    expect(crowdedFolders(new Map([...most, ...tests, ...files(20, (n) => `inner/file-${n}.ts`)]))).toEqual([])
  })
})

describe('foreign imports', () => {
  test("Node's modules and other libraries are named", () => {
    const tree = treeOf({
      'src/plan.ts': "import { Type } from 'typebox'\nimport { join } from 'node:path'\nimport './other.ts'",
      'src/media.ts': "import type { Agent } from 'undici'",
    })
    expect(foreignImports(tree, ['typebox'])).toEqual([
      'src/plan.ts imports node:path; this package imports typebox only',
      'src/media.ts imports undici; this package imports typebox only',
    ])
  })

  test('a test may import what it needs, and an allowed library has several entries', () => {
    const tree = treeOf({
      'src/plan.ts': "import { Value } from 'typebox/value'",
      'src/plan.test.ts': "import { readFile } from 'node:fs/promises'",
    })
    expect(foreignImports(tree, ['typebox'])).toEqual([])
  })
})

describe('long functions', () => {
  const functionOf = (opening, lines) => [opening, ...Array(lines - 2).fill('  work()'), '}'].join('\n')

  test.each([
    'export const render = async (plan: Plan): Promise<void> => {',
    'function render(plan: Plan): void {',
    'const render = (plan: Plan) => {',
  ])('a function with one line too many is named: %s', (opening) => {
    const tree = treeOf({ 'src/render.ts': `\n${functionOf(opening, MAX_FUNCTION_LINES + 1)}\n` })
    expect(longFunctions(tree)).toEqual([
      {
        key: 'src/render.ts render',
        text: `src/render.ts:2 render has ${MAX_FUNCTION_LINES + 1} lines, at most ${MAX_FUNCTION_LINES}`,
        size: MAX_FUNCTION_LINES + 1,
      },
    ])
  })

  test('the most lines that a function may have, and a long table, pass', () => {
    const tree = treeOf({
      'src/render.ts': functionOf('const render = () => {', MAX_FUNCTION_LINES),
      'src/table.ts': functionOf('export const table = {', MAX_FUNCTION_LINES + 50),
    })
    expect(longFunctions(tree)).toEqual([])
  })

  test('a function with an expression in place of a body ends with it, not with what follows', () => {
    const table = functionOf('export const table = {', MAX_FUNCTION_LINES + 1)
    const list = Array.from({ length: MAX_FUNCTION_LINES }, () => '  1,')
    const tree = treeOf({
      'src/short.ts': `const sum = (\n  a,\n  b,\n): number =>\n  a + b\n\n${table}`,
      'src/one-line.ts': `const sum = (\n  a,\n  b,\n): number => a + b\n${table}`,
      'src/list.ts': ['const list = (', '  a,', '): number[] => [', ...list, ']'].join('\n'),
      'src/braces.ts': ['const list = (', '  a,', ') => {', ...list, '}'].join('\n'),
    })
    expect(longFunctions(tree).map(({ key, size }) => [key, size])).toEqual([
      ['src/list.ts list', MAX_FUNCTION_LINES + 4],
      ['src/braces.ts list', MAX_FUNCTION_LINES + 4],
    ])
  })
})

describe('paths of a machine', () => {
  const home = ['', 'home', 'ada', 'videos'].join('/')

  test('a home folder is named with its line', () => {
    const texts = [['README.md', `one\nsaved in ${home}/intro.mp4`]]
    expect(machinePaths(texts)).toEqual([`README.md:2 names a path of one machine: ${home}`])
  })

  test('an address and a relative path are none', () => {
    expect(machinePaths([['README.md', `https://example.com${home} and ./docs${home}`]])).toEqual([])
  })
})

test('an import that leads up, or beside to a district of the same height, is named once; tests may import all', () => {
  const districts = new Map([
    ['@vid/kernel', 'base'],
    ['@vid/render', 'engine'],
    ['@vid/browser', 'engine'],
    ['@vid/edit', 'authoring'],
    ['@vid/cloud', 'services'],
  ])
  const heights = { base: 0, engine: 1, authoring: 2, services: 2 }
  const problems = (importer, files) => risingImports(treeOf(files), importer, districts, heights)
  const down =
    "import { a } from '@vid/kernel'\nimport { b } from '@vid/browser/driver'\nimport { join } from 'node:path'\n"
  expect(problems('@vid/render', { 'src/a.ts': down })).toEqual([])
  expect(problems('@vid/edit', { 'src/a.ts': down })).toEqual([])
  const up = "import type { a } from '@vid/edit/options'\n"
  expect(
    problems('@vid/render', { 'src/a.ts': up, 'src/b.ts': up, 'src/c.test.ts': up, 'src/fixtures/d.ts': up }),
  ).toEqual([{ key: '@vid/render → @vid/edit', text: 'src/a.ts imports @vid/edit: engine must not know authoring' }])
  expect(problems('@vid/cloud', { 'src/a.ts': "await import('@vid/edit')" }).map(({ key }) => key)).toEqual([
    '@vid/cloud → @vid/edit',
  ])
})

test('a room that the row of its package does not name is named, but not the data of tests', () => {
  const page =
    '| `packages/sound` | sound | `mix` tracks; `commands/<name>` one folder each |\n| `packages/other` | | `lost` |'
  const tree = treeOf({
    'index.ts': '',
    'mix/tracks.ts': '',
    'commands/play/run.ts': '',
    'fixtures/tone.ts': '',
    'lost/found.ts': '',
  })
  expect(unnamedRooms(page, 'packages/sound', tree)).toEqual([
    'docs/architecture.md: the row of packages/sound does not name its room lost',
  ])
})

test('a tree has the TypeScript files of a folder and of those below it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-structure-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of ['index.ts', 'inner/part.ts', 'notes.md', 'node_modules/library/index.ts']) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), name)
  }
  expect([...readTree(folder)]).toEqual([
    ['index.ts', 'index.ts'],
    ['inner/part.ts', 'inner/part.ts'],
  ])
})
