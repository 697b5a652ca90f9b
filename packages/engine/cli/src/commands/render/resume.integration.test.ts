import { mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from '@vid/render'
import { expect, test } from 'vitest'
import { eventsOf, makeFolder, page, paint, startVid, vid } from '../../fixtures/project.ts'

/** A config that writes down each page that is opened, and fails rows whose title is in the file `fail.txt`. */
const watched = paint.replace(
  'export default { capture: painter()',
  `import { appendFileSync, existsSync, readFileSync } from 'node:fs'
const beside = (name) => new URL(name, import.meta.url)
const inner = painter()
const capture = {
  ...inner,
  async open(plan, context) {
    appendFileSync(beside('opened.txt'), plan.variables.title + '\\n')
    const fail = existsSync(beside('fail.txt')) ? readFileSync(beside('fail.txt'), 'utf8').split(' ') : []
    if (fail.includes(plan.variables.title)) throw new Error('no such title')
    return inner.open(plan, context)
  },
}
export default { capture`,
)
const titles = (count: number) => Array.from({ length: count }, (_, n) => `t${n}`)
const table = (names: readonly string[]) => `title,count\n${names.map((name) => `${name},1\n`).join('')}`
const makeBatch = (names: readonly string[]) => makeFolder({ 'vid.config.mjs': watched, 'rows.csv': table(names) })
const render = (folder: string, ...args: string[]) =>
  vid(folder, 'render', 'intro', '--batch', 'rows.csv', '-o', 'out/{title}.mp4', ...args)
const manifestOf = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'out/manifest.json'), 'utf8')) as Manifest
/** The titles of the pages that were opened since the last call, each once. */
const opened = async (folder: string) => {
  const text = await readFile(join(folder, 'opened.txt'), 'utf8').catch(() => '')
  await rm(join(folder, 'opened.txt'), { force: true })
  return [...new Set(text.split('\n').filter(Boolean))].sort()
}
const statuses = async (folder: string) => (await manifestOf(folder)).rows.map(({ status }) => status)

test('rows that are finished and unchanged are skipped without opening a page', async () => {
  const folder = await makeBatch(titles(4))
  expect(await render(folder)).toMatchObject({ code: 0 })
  expect(await opened(folder)).toEqual(titles(4))
  const { code, stdout } = await render(folder, '--json')
  expect(code).toBe(0)
  expect(await opened(folder)).toEqual([])
  const events = eventsOf(stdout)
  expect(events.filter(({ type }) => type === 'batch-row-unchanged')).toHaveLength(4)
  expect(events.at(-1)).toMatchObject({ type: 'batch-complete', completed: 4, unchanged: 4 })
  const { stderr } = await render(folder)
  expect(stderr).toContain('done: 4 of 4 rows, 4 of them unchanged since an earlier run')
})

/** A change, and the rows that must be rendered after it. */
type Change = readonly [
  what: string,
  change: (folder: string) => Promise<unknown>,
  rows: readonly string[],
  flags?: readonly string[],
]
const changes: readonly Change[] = [
  ['a value', (folder) => writeFile(join(folder, 'rows.csv'), table(['t0', 't1']).replace('t1,1', 't1,2')), ['t1']],
  ['a new row', (folder) => writeFile(join(folder, 'rows.csv'), table(['t9', 't0', 't1'])), ['t9']],
  ['the composition', (folder) => writeFile(join(folder, 'intro/index.html'), `${page}<!-- 2 -->`), ['t0', 't1']],
  ['a file of the project', (folder) => writeFile(join(folder, 'intro/photo.png'), 'new'), ['t0', 't1']],
  ['a video that is gone', (folder) => rm(join(folder, 'out/t1.mp4')), ['t1']],
  ['a video that was replaced', (folder) => writeFile(join(folder, 'out/t0.mp4'), 'other'), ['t0']],
  ['the config', (folder) => writeFile(join(folder, 'vid.config.mjs'), `${watched}\n// 2\n`), ['t0', 't1']],
  ['a setting', () => Promise.resolve(), ['t0', 't1'], ['--fps', '60']],
  ['nothing, with --fresh', () => Promise.resolve(), ['t0', 't1'], ['--fresh']],
  [
    'a package of the project',
    async (folder) => {
      await mkdir(join(folder, 'intro/node_modules/gsap'), { recursive: true })
      await writeFile(join(folder, 'intro/node_modules/gsap/package.json'), '{}')
    },
    ['t0', 't1'],
  ],
  ['a file that was touched', (folder) => utimes(join(folder, 'intro/index.html'), 1, 1), ['t0', 't1']],
]

test.each(changes.map(([what, change, rows, flags = []]) => ({ what, change, rows, flags })))(
  'after a change of $what, exactly the rows that it reaches are looked at again',
  async ({ change, rows, flags }) => {
    const folder = await makeBatch(titles(2))
    await render(folder)
    await opened(folder)
    await change(folder)
    const { code, stderr } = await render(folder, ...flags)
    expect(code, stderr).toBe(0)
    expect(await opened(folder)).toEqual([...rows].sort())
    expect(new Set(await statuses(folder))).toEqual(new Set(['completed']))
  },
)

test('rows are looked at again when only an option of a delivery differs', async () => {
  const folder = await makeBatch(titles(2))
  const delivering = `import { copyFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
const place = { ...bytes(), name: 'fixture-place', role: 'delivery', optionsSchema: undefined,
  options: { bucket: process.env.BUCKET }, writesOutput: true,
  async deliver({ path }, { outputPath }) {
    await mkdir(dirname(outputPath), { recursive: true })
    await copyFile(path, outputPath)
  } }
export default { deliveries: [place], capture`
  await writeFile(join(folder, 'vid.config.mjs'), watched.replace('export default { capture', delivering))
  const args = ['render', 'intro', '--batch', 'rows.csv', '-o', 'out/{title}.mp4']
  const looked = async (bucket: string) => {
    const { code, stderr } = await startVid(folder, args, { BUCKET: bucket }).done
    expect(code, stderr).toBe(0)
    return opened(folder)
  }
  expect(await looked('a')).toEqual(titles(2))
  expect(await looked('a')).toEqual([])
  expect(await looked('b')).toEqual(titles(2))
})

test('rows are looked at again when a link leads to another folder of the project', async () => {
  const folder = await makeBatch(titles(2))
  for (const look of ['dark', 'light']) {
    await mkdir(join(folder, 'intro', look))
    await writeFile(join(folder, 'intro', look, 'style.css'), look)
  }
  const link = join(folder, 'intro/look')
  await symlink('dark', link)
  await render(folder)
  await opened(folder)
  await render(folder)
  expect(await opened(folder)).toEqual([])
  await rm(link)
  await symlink('light', link)
  await render(folder)
  expect(await opened(folder)).toEqual(titles(2))
})

test('rows are looked at again when only an option of a plugin differs', async () => {
  const folder = await makeBatch(titles(2))
  await render(folder, '--preset', 'social-square')
  await opened(folder)
  await render(folder, '--preset', 'social-square')
  expect(await opened(folder)).toEqual([])
  await render(folder, '--preset', 'social-story')
  expect(await opened(folder)).toEqual(titles(2))
})

test('rows of a render more than a day ago are looked at again, since remote files may have changed', async () => {
  const folder = await makeBatch(titles(2))
  await render(folder, '--network', 'none')
  const path = join(folder, 'out/manifest.json')
  const age = async () => {
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace(/"completedAt": "[^"]*"/g, '"completedAt": "2020-01-01T00:00:00.000Z"'))
    await opened(folder)
  }
  await age()
  await render(folder, '--network', 'none')
  expect(await opened(folder)).toEqual([])
  await render(folder)
  await age()
  await render(folder)
  expect(await opened(folder)).toEqual(['t0', 't1'])
})

test('a plugin that may bring in other values keeps rows from being skipped', async () => {
  const folder = await makeBatch(titles(2))
  const resolver = `const values = { ...bytes(), name: 'fixture-values', role: 'plugin', optionsSchema: undefined, options: {},
  setup: (hooks) => hooks.resolve.tap('fixture-values', (values) => values) }
export default { plugins: [values], capture`
  await writeFile(join(folder, 'vid.config.mjs'), watched.replace('export default { capture', resolver))
  for (let round = 0; round < 2; round += 1) {
    const { code, stderr } = await render(folder)
    expect(code, stderr).toBe(0)
    expect(await opened(folder)).toEqual(['t0', 't1'])
  }
})

test('--only-failed remembers rows that failed before and were not reached since', async () => {
  const folder = await makeBatch(titles(4))
  await writeFile(join(folder, 'fail.txt'), 't1 t2 t3')
  expect(await render(folder)).toMatchObject({ code: 1 })
  expect(await render(folder, '--only-failed', '--batch-fail-fast', '--batch-concurrency', '1')).toMatchObject({
    code: 1,
  })
  expect(await statuses(folder)).toContain('skipped')
  await rm(join(folder, 'fail.txt'))
  await opened(folder)
  const { code, stderr } = await render(folder, '--only-failed')
  expect(code, stderr).toBe(0)
  expect(await opened(folder)).toEqual(['t1', 't2', 't3'])
  expect((await manifestOf(folder)).rows.map(({ status, error }) => [status, error])).toEqual(
    Array.from({ length: 4 }, () => ['completed', null]),
  )
})

test('--only-failed renders what failed, and --rows what is named, as the spreadsheet counts it', async () => {
  const folder = await makeBatch(titles(5))
  await writeFile(join(folder, 'fail.txt'), 't1 t3')
  expect(await render(folder)).toMatchObject({ code: 1 })
  expect(await statuses(folder)).toEqual(['completed', 'failed', 'completed', 'failed', 'completed'])
  await rm(join(folder, 'fail.txt'))
  await rm(join(folder, 'out/t0.mp4'))
  await opened(folder)
  const some = await render(folder, '--rows', '3,6', '--only-failed')
  expect(some.code, some.stderr).toBe(0)
  expect(some.stderr).toContain('1 failed in an earlier run')
  expect(await opened(folder)).toEqual(['t1'])
  expect(await statuses(folder)).toEqual(['completed', 'completed', 'completed', 'failed', 'completed'])
  expect(await render(folder, '--rows', '2-4')).toMatchObject({ code: 0 })
  expect(await opened(folder)).toEqual(['t0'])
  expect(await render(folder, '--only-failed')).toMatchObject({ code: 0 })
  expect(await opened(folder)).toEqual(['t3'])
  expect(await render(folder, '--only-failed')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('VID_BATCH_CHOICE'),
  })
  expect(await render(folder, '--rows', '7-9')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('VID_BATCH_CHOICE'),
  })
  expect(await render(folder, '--rows', '4-2')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('VID_BATCH_CHOICE'),
  })
})
