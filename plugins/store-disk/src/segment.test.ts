import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { COMPOSITION_SOURCE } from '@vid/browser'
import { noSources } from '@vid/kernel'
import { expect, test } from 'vitest'
import { count, FRAMES, openShelf } from './fixtures/shelf.ts'
import disk from './index.ts'

const words = (file: string) => readFile(file, 'utf8')

const pictures = (start: number, named = (frame: number) => `picture ${frame}`) =>
  count(start).map(named).join('\n')

test('the same inputs are not captured again', async () => {
  const { segment } = await openShelf()
  const first = await segment()
  expect(first).toMatchObject({ captured: count(0), encodes: 1, warnings: [] })
  const again = await segment()
  expect(again).toMatchObject({ captured: [], encodes: 0, reused: 'the same inputs' })
  expect(await words(again.file)).toBe(pictures(0))
  expect(basename(again.file)).toBe(basename(first.file))
})

test('a file that a page was drawn from is looked at again', async () => {
  const { segment, projectDir } = await openShelf()
  const write = async (text: string) => {
    await writeFile(join(projectDir, 'a.svg'), text)
    return { inputs: [{ source: 'a.svg', digest: createHash('sha256').update(text).digest('hex') }] }
  }
  const red = await write('red')
  await segment(0, red)
  expect((await segment(0, red)).reused).toBe('the same inputs')
  const blue = await write('blue')
  const picture = (frame: number) => (frame < 20 ? `picture ${frame}` : `blue ${frame}`)
  const changed = await segment(0, { ...blue, picture })
  expect(changed).toMatchObject({ captured: count(0), encodes: 1, reused: undefined })
  expect(await words(changed.file)).toBe(pictures(0, picture))
  await write('red')
  // Both are kept.
  const back = await segment(0, { ...red, picture: () => 'never seen' })
  expect(back.reused).toBe('the same inputs')
  expect(await words(back.file)).toBe(pictures(0))
})

test('a file that was missing, and is there now, is another input', async () => {
  const { segment, projectDir } = await openShelf()
  const missing = { inputs: [{ source: 'late.svg', digest: null }] }
  await segment(0, missing)
  expect((await segment(0, missing)).reused).toBe('the same inputs')
  await writeFile(join(projectDir, 'late.svg'), 'here')
  expect((await segment(0, missing)).reused).toBe('24 equal frames')
})

test('other variables with equal frames share a file; frames that differ are captured once', async () => {
  const { segment } = await openShelf()
  await segment(0, { plan: { variables: { name: 'Ada' } } })
  const same = await segment(0, { plan: { variables: { name: 'Bob' } } })
  expect(same).toMatchObject({ captured: count(0), encodes: 0, reused: '24 equal frames' })
  const picture = (frame: number) => (frame === 23 ? 'other' : `picture ${frame}`)
  const other = await segment(0, { plan: { variables: { name: 'Cy' } }, picture })
  expect(other).toMatchObject({ captured: count(0), encodes: 1, reused: undefined })
  expect(await words(other.file)).toBe(pictures(0, picture))
  const again = await segment(0, { plan: { variables: { name: 'Dee' } }, picture })
  expect(again.reused).toBe('24 equal frames')
  expect(await words(again.file)).toBe(pictures(0, picture))
})

test('frames that are too large to be held are captured again when one differs', async () => {
  const { segment } = await openShelf()
  // As raw frames with alpha at 1080p are.
  const work = { frameBytes: 1920 * 1080 * 4 }
  await segment(0, { ...work, plan: { variables: { name: 'Ada' } } })
  const picture = (frame: number) => (frame === 23 ? 'other' : `picture ${frame}`)
  const other = await segment(0, { ...work, plan: { variables: { name: 'Bob' } }, picture })
  expect(other).toMatchObject({ captured: [...count(0), ...count(0)], encodes: 1 })
  expect(await words(other.file)).toBe(pictures(0, picture))
  const again = await segment(0, { ...work, plan: { variables: { name: 'Cy' } }, picture })
  expect(again).toMatchObject({ captured: count(0), encodes: 0, reused: '24 equal frames' })
})

test('another encoder, size or place in time is never compared', async () => {
  const { segment } = await openShelf()
  await segment()
  const encoder = { name: 'list', options: {}, settings: { crf: 9 }, build: '1' }
  for (const plan of [{ encoder }, { width: 4 }, { frames: 99 }, { alpha: true }])
    expect(await segment(0, { plan })).toMatchObject({ encodes: 1, reused: undefined })
  expect(await segment(1)).toMatchObject({ encodes: 1, reused: undefined })
})

test('an edit of another scene costs five frames, unless one of them differs', async () => {
  const { segment, writePage } = await openShelf()
  for (const index of [0, 1, 2]) await segment(index)
  await writePage(['One', 'Due', 'Three'])
  const far = await segment(2)
  expect(far).toMatchObject({
    captured: [49, 54, 60, 65, 71],
    encodes: 0,
    reused: 'the edit touches only 1–2 s; 5 frames compared',
  })
  expect(await words(far.file)).toBe(pictures(48))
  expect(await segment(1)).toMatchObject({ captured: count(24), reused: '24 equal frames' })
  const picture = (frame: number) => (frame === 23 ? 'reached' : `picture ${frame}`)
  const reached = await segment(0, { picture })
  expect(reached).toMatchObject({ captured: [1, 6, 12, 17, 23, ...count(0)], encodes: 1 })
  expect(await words(reached.file)).toBe(pictures(0, picture))
  expect((await segment(2)).reused).toBe('the same inputs')
})

test('a page that keeps state is captured as a whole', async () => {
  const { segment, writePage } = await openShelf()
  await segment(2, { stateful: true })
  await writePage(['One', 'Due', 'Three'])
  expect(await segment(2, { stateful: true })).toMatchObject({
    captured: count(48),
    reused: '24 equal frames; all were captured, since the page keeps state between frames',
  })
})

test('folders and further outputs come back as they were', async () => {
  const { segment } = await openShelf()
  const write = async (path: string, all: string[]) => {
    await mkdir(`${path}-stills`)
    for (const [at, text] of all.entries()) await writeFile(join(`${path}-stills`, `${at}.png`), text)
    await writeFile(`${path}-1.gif`, all.join('+'))
    return { file: `${path}-stills`, more: [{ file: `${path}-1.gif` }] }
  }
  await segment(0, { write })
  const again = await segment(0, { write })
  expect(again).toMatchObject({ encodes: 0, reused: 'the same inputs' })
  expect((await readdir(again.file)).length).toBe(FRAMES)
  expect(await words(join(again.file, '7.png'))).toBe('picture 7')
  expect(await words(again.more?.[0]?.file ?? '')).toBe(pictures(0).replaceAll('\n', '+'))
})

const bytesOf = async (cache: string) => {
  const files = await readdir(cache, { recursive: true, withFileTypes: true })
  const sizes = files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name)))
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
}

test('what was used longest ago goes first', async () => {
  const { segment, cache } = await openShelf()
  const write = async (path: string, all: string[]) => {
    await writeFile(`${path}.txt`, all.join('\n').padEnd(10_000))
    return { file: `${path}.txt` }
  }
  const options = { maxBytes: 35_000 }
  await segment(0, { write, options })
  await segment(1, { write, options })
  for (const entry of await readdir(cache, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), new Date(0), new Date(0))
  expect((await segment(0, { write, options })).reused).toBe('the same inputs')
  await segment(2, { write, options })
  expect(await bytesOf(cache)).toBeLessThanOrEqual(35_000)
  expect((await segment(0, { write, options })).reused).toBe('the same inputs')
  expect((await segment(1, { write, options })).reused).toBe(undefined)
  // One that would push out all others is not kept.
  const small = { maxBytes: 15_000 }
  await segment(2, { write, options: { ...small, dir: 'small' } })
  expect((await segment(2, { write, options: { ...small, dir: 'small' } })).reused).toBe(undefined)
})

test('a cache that is cleaned while others use it gives no wrong file', async () => {
  const { segment, projectDir } = await openShelf()
  const store = disk()
  const signal = new AbortController().signal
  const own = {
    options: store.options,
    signal,
    projectDir,
    workDir: projectDir,
    sources: noSources,
    warn: () => {},
  }
  for (let round = 0; round < 10; round += 1) {
    const [made, freed] = await Promise.all([segment(round % 3), store.clean?.(own)])
    expect(await words(made.file)).toBe(pictures((round % 3) * FRAMES))
    expect(freed).toBeGreaterThanOrEqual(0)
  }
})

test('files that changed after the plan was made are not kept', async () => {
  const { segment, cache } = await openShelf()
  const composition = { entry: 'index.html', id: 'a', digest: '0'.repeat(64), stateful: false }
  expect(await segment(0, { plan: { composition } })).toMatchObject({ encodes: 1, warnings: [] })
  await expect(readdir(join(cache, 'segments'))).resolves.toEqual([])
})

test('a page that was drawn from a later text than the plan leaves nothing behind', async () => {
  const { segment } = await openShelf()
  const inputs = [{ source: COMPOSITION_SOURCE, digest: '1'.repeat(64) }]
  await segment(0, { inputs })
  expect(await segment(0)).toMatchObject({ encodes: 1, reused: undefined })
})

test('things that nobody here has made are removed, and nothing waits for them', async () => {
  const { segment, cache } = await openShelf()
  await segment()
  const files = await readdir(cache, { recursive: true, withFileTypes: true })
  for (const file of files)
    if (file.isFile() && file.name !== '.gitignore') {
      await rm(join(file.parentPath, file.name))
      execFileSync('mkfifo', [join(file.parentPath, file.name)])
    }
  expect(await segment()).toMatchObject({ encodes: 1, reused: undefined, warnings: [] })
  expect((await segment()).reused).toBe('the same inputs')
})
