import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import { basename, join } from 'node:path'
import { COMPOSITION_SOURCE, failContract } from '@vid/kernel'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMemoryStore } from './fixtures/memory-store.ts'
import { count, createProject, FRAMES } from './fixtures/project.ts'

const words = (file: string) => readFile(file, 'utf8')

const pictures = (start: number, named = (frame: number) => `picture ${frame}`) => count(start).map(named).join('\n')

test('the same inputs are not captured again', async () => {
  const { segment } = await createProject()
  const first = await segment()
  expect(first).toMatchObject({ captured: count(0), encodes: 1, warnings: [] })
  const again = await segment()
  expect(again).toMatchObject({ captured: [], encodes: 0, reused: 'the same inputs' })
  expect(await words(again.file)).toBe(pictures(0))
  expect(basename(again.file)).toBe(basename(first.file))
})

test('the files that a page was drawn from are checked again', async () => {
  const { segment, projectDir } = await createProject()
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
  // The files of both are kept.
  const back = await segment(0, { ...red, picture: () => 'never seen' })
  expect(back.reused).toBe('the same inputs')
  expect(await words(back.file)).toBe(pictures(0))
})

test('the same inputs are found among more entries than are listed', async () => {
  const { segment } = await createProject()
  const store = createMemoryStore()
  await segment(0, { store })
  const [entry = '', blob] = [...store.blobs].find(([key]) => key.startsWith('segments/')) ?? []
  if (!blob) throw new Error('no entry was kept')
  store.blobs.delete(entry)
  for (let index = 0; index < 2000; index += 1)
    store.blobs.set(`${entry.slice(0, entry.lastIndexOf('/'))}/!${index}`, { bytes: Buffer.of(), usedMs: 0 })
  store.blobs.set(entry, blob)
  expect(await segment(0, { store })).toMatchObject({ captured: [], reused: 'the same inputs' })
})

test('what hardware has encoded is not used on another machine, and what a program has is', async () => {
  const { segment } = await createProject()
  const gpu = { name: 'list', options: {}, settings: { gpu: 'h264_nvenc' }, code: '', build: '1' }
  await segment()
  await segment(0, { plan: { encoder: gpu } })
  const same = { reused: 'the same inputs' }
  expect(await segment(0, { plan: { encoder: gpu } })).toMatchObject(same)
  const hostname = vi.spyOn(os, 'hostname').mockReturnValue('another-machine')
  onTestFinished(() => hostname.mockRestore())
  expect(await segment(0, { plan: { encoder: gpu } })).toMatchObject({ encodes: 1, reused: undefined })
  expect(await segment()).toMatchObject(same)
})

test('a missing file that exists now is a different input', async () => {
  const { segment, projectDir } = await createProject()
  const missing = { inputs: [{ source: 'late.svg', digest: null }] }
  await segment(0, missing)
  expect((await segment(0, missing)).reused).toBe('the same inputs')
  await writeFile(join(projectDir, 'late.svg'), 'here')
  expect((await segment(0, missing)).reused).toBe('24 equal frames')
})

test('other variables with equal frames share a file; frames that differ are captured once', async () => {
  const { segment } = await createProject()
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

test('frames that are too large to buffer are captured again when one differs', async () => {
  const { segment } = await createProject()
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

test('segments of another encoder, size or time range are never compared', async () => {
  const { segment } = await createProject()
  await segment()
  const encoder = { name: 'list', options: {}, settings: { crf: 9 }, code: '', build: '1' }
  for (const plan of [{ encoder }, { width: 4 }, { frames: 99 }, { alpha: true }])
    expect(await segment(0, { plan })).toMatchObject({ encodes: 1, reused: undefined })
  expect(await segment(1)).toMatchObject({ encodes: 1, reused: undefined })
})

test('an edit of another scene captures five frames, unless one of them differs', async () => {
  const { segment, writePage } = await createProject()
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
  const { segment, writePage } = await createProject()
  await segment(2, { stateful: true })
  await writePage(['One', 'Due', 'Three'])
  expect(await segment(2, { stateful: true })).toMatchObject({
    captured: count(48),
    reused: '24 equal frames; all were captured, since the page keeps state between frames',
  })
})

test('folders and further outputs are restored unchanged', async () => {
  const { segment } = await createProject()
  const write = async (path: string, all: string[]) => {
    await mkdir(`${path}-stills`)
    for (const [index, text] of all.entries()) await writeFile(join(`${path}-stills`, `${index}.png`), text)
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

test('files that changed after the plan was made are not kept', async () => {
  const { segment, blobs } = await createProject()
  const composition = { entry: 'index.html', id: 'a', digest: '0'.repeat(64), stateful: false }
  expect(await segment(0, { plan: { composition } })).toMatchObject({ encodes: 1, warnings: [] })
  expect([...blobs]).toEqual([])
})

test('a segment whose page is newer than the plan is not kept', async () => {
  const { segment } = await createProject()
  const inputs = [{ source: COMPOSITION_SOURCE, digest: '1'.repeat(64) }]
  await segment(0, { inputs })
  expect(await segment(0)).toMatchObject({ encodes: 1, reused: undefined })
})

test('a fresh render reuses nothing, and keeps what it encodes', async () => {
  const { segment, calls } = await createProject()
  await segment()
  calls.length = 0
  expect(await segment(0, { fresh: true })).toMatchObject({
    captured: count(0),
    encodes: 1,
    reused: undefined,
  })
  expect(calls).toEqual(['put', 'write', 'write'])
  expect((await segment()).reused).toBe('the same inputs')
})

test('an unchanged segment needs one list call, one entry and its file', async () => {
  const { segment, calls } = await createProject()
  await segment()
  calls.length = 0
  await segment()
  expect(calls).toEqual(['list', 'read', 'get', 'touch'])
})

test('a damaged blob is removed, and its segment encoded again', async () => {
  const { segment, blobs } = await createProject()
  await segment()
  for (const kind of ['contents/', 'segments/']) {
    for (const [key, { bytes, usedMs }] of blobs)
      if (key.startsWith(kind)) blobs.set(key, { bytes: Buffer.from(bytes).fill(1, 70, 71), usedMs })
    const again = await segment()
    expect(again, kind).toMatchObject({ encodes: 1, reused: undefined, warnings: [] })
    expect(await words(again.file)).toBe(pictures(0))
    expect((await segment()).reused, kind).toBe('the same inputs')
  }
})

test('a segment larger than half of the store is not kept', async () => {
  const { segment } = await createProject()
  const write = async (path: string) => {
    await writeFile(`${path}.txt`, 'x'.repeat(600))
    return { file: `${path}.txt` }
  }
  for (const [maxBytes, reused] of [
    [1199, undefined],
    [1200, 'the same inputs'],
  ] as const) {
    const store = createMemoryStore({ maxBytes })
    await segment(0, { store, write })
    expect((await segment(0, { store, write })).reused).toBe(reused)
  }
})

test('the advice of a store stands in the warning as a sentence', async () => {
  const { segment } = await createProject()
  // biome-ignore lint/correctness/useYield: it fails before it lists anything.
  const list = async function* () {
    throw failContract('VID_PLUGIN_INVALID', { plugin: 'memory', problem: 'odd' })
  }
  const { warnings } = await segment(0, { store: createMemoryStore({ list }) })
  expect(warnings[0]?.hint).toMatch(/^The render continues without it\. [A-Z]/)
})

test('a failing store gives one warning, and the render continues', async () => {
  const { segment } = await createProject()
  const no = async () => {
    throw new Error('the bucket is gone')
  }
  const warning = {
    code: 'VID_CACHE_UNUSABLE',
    message: 'Finished segments cannot be kept: the bucket is gone.',
    hint: 'The render continues without it. Check the store. To render without a cache, use --no-cache.',
  }
  // biome-ignore lint/correctness/useYield: it fails before it lists anything.
  const list = async function* () {
    throw new Error('the bucket is gone')
  }
  for (const changes of [{ list }, { put: no }, { write: no }]) {
    const store = createMemoryStore(changes)
    expect(await segment(0, { store })).toMatchObject({ encodes: 1, reused: undefined, warnings: [warning] })
  }
})

test('the number of older entries that are read is limited', async () => {
  const { segment, calls } = await createProject()
  const named = (name: number) => ({
    plan: { variables: { name } },
    picture: (frame: number) => `picture ${frame} of ${name}`,
  })
  for (const name of count(0, 14)) await segment(0, named(name))
  calls.length = 0
  expect((await segment(0, named(99))).encodes).toBe(1)
  expect(calls.filter((call) => call === 'read')).toHaveLength(12)
  // The oldest is of the same text and variables: it comes first.
  expect((await segment(0, named(0))).reused).toBe('the same inputs')
})

test('what a page warned of is reported again with its segment, once it is reused by its inputs', async () => {
  const { segment } = await createProject()
  const pageWarnings = [
    { code: 'VID_MEDIA_DAMAGED', message: 'cut.mp4', severity: 'error', plugin: 'camera' },
    { code: 'VID_IMAGE_STILL', message: 'a.gif' },
  ] as const
  expect((await segment(0, { pageWarnings })).warnings).toEqual([])
  const again = await segment()
  expect(again).toMatchObject({ captured: [], reused: 'the same inputs' })
  expect(again.warnings).toEqual(pageWarnings)
})

test('a segment with which something was wrong is captured after an edit elsewhere, which may have mended it', async () => {
  const { segment, writePage } = await createProject()
  const pageWarnings = [{ code: 'VID_SCRIPT_ERROR', message: 'late', severity: 'error' }] as const
  await segment(2, { pageWarnings })
  await writePage(['One', 'Due', 'Three'])
  const mended = await segment(2)
  expect(mended).toMatchObject({
    captured: count(48),
    encodes: 0,
    reused: '24 equal frames; all were captured, since something was wrong with it',
    warnings: [],
  })
  // What is kept now has the warnings of this page: none.
  expect(await segment(2)).toMatchObject({ captured: [], warnings: [] })
})
