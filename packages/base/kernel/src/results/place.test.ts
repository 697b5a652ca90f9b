import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { scratchName } from '@vid/system'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { placeArtifact } from './place.ts'

vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>()
  return { ...actual, rename: vi.fn(actual.rename) }
})

let folder: string
const idle = new AbortController().signal

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-place-'))
  await writeFile(join(folder, 'made.mp4'), 'new')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a file is placed completely, and missing folders are created', async () => {
  const to = join(folder, 'a/b/out.mp4')
  await placeArtifact(join(folder, 'made.mp4'), to, idle)
  expect(await readFile(to, 'utf8')).toBe('new')
  expect(await readdir(join(folder, 'a/b'))).toEqual(['out.mp4'])
})

test('an older file is replaced', async () => {
  const to = join(folder, 'out.mp4')
  await writeFile(to, 'old')
  await placeArtifact(join(folder, 'made.mp4'), to, idle)
  expect(await readFile(to, 'utf8')).toBe('new')
})

test('an older folder of images is replaced as a whole', async () => {
  await mkdir(join(folder, 'frames'))
  await writeFile(join(folder, 'frames/frame_000000.png'), 'png')
  await mkdir(join(folder, 'out'))
  await writeFile(join(folder, 'out/frame_000009.png'), 'stale')
  await placeArtifact(join(folder, 'frames'), join(folder, 'out'), idle)
  expect(await readdir(join(folder, 'out'))).toEqual(['frame_000000.png'])
})

test.each(['index.html', 'frames/frame_000000.png', '.git/HEAD'])(
  'a folder that holds %s stays as it is',
  async (name) => {
    await mkdir(join(folder, 'made'))
    await writeFile(join(folder, 'made/frame_000000.png'), 'png')
    const file = join(folder, 'out', name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, 'mine')
    const [first = ''] = name.split('/')
    await expect(placeArtifact(join(folder, 'made'), join(folder, 'out'), idle)).rejects.toThrow(`holds ${first}`)
    expect(await readFile(file, 'utf8')).toBe('mine')
    expect((await readdir(folder)).sort()).toEqual(['made', 'made.mp4', 'out'])
  },
)

/** What a delivery of `out` has beside it when it is killed while the older folder is moved away. */
const killedDelivery = async () => {
  // The start time of the name is that of no process.
  const left = join(folder, scratchName('.vid-').replace(/-\d+(-\w+)$/, '-1$1'))
  for (const [name, text] of [
    ['.new', 'fresh'],
    ['.old', 'old'],
  ] as const) {
    await mkdir(`${left}${name}`)
    await writeFile(join(`${left}${name}`, 'frame_000000.png'), text)
  }
  await writeFile(`${left}.origin`, 'out')
}

test('a folder that a killed delivery had moved away is put back by the next delivery beside it', async () => {
  await killedDelivery()
  await placeArtifact(join(folder, 'made.mp4'), join(folder, 'other.mp4'), idle)
  expect((await readdir(folder)).sort()).toEqual(['made.mp4', 'other.mp4', 'out'])
  expect(await readFile(join(folder, 'out/frame_000000.png'), 'utf8')).toBe('old')
})

test('a folder that was delivered in the meantime stays, and what a killed delivery had moved away goes', async () => {
  await killedDelivery()
  await mkdir(join(folder, 'out'))
  await writeFile(join(folder, 'out/frame_000000.png'), 'newer')
  await placeArtifact(join(folder, 'made.mp4'), join(folder, 'other.mp4'), idle)
  expect((await readdir(folder)).sort()).toEqual(['made.mp4', 'other.mp4', 'out'])
  expect(await readFile(join(folder, 'out/frame_000000.png'), 'utf8')).toBe('newer')
})

test('a folder says where it was moved away from before it is, so that a kill in between can be undone', async () => {
  await mkdir(join(folder, 'frames'))
  await writeFile(join(folder, 'frames/frame_000000.png'), 'png')
  await mkdir(join(folder, 'out'))
  const { signal } = new AbortController()
  const moves: string[][] = []
  vi.mocked(rename).mockImplementationOnce(async (from, to) => {
    moves.push((await readdir(folder)).map((name) => name.replace(/^\.vid-.*\./, '.')).sort())
    return (await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises')).rename(from, to)
  })
  await placeArtifact(join(folder, 'frames'), join(folder, 'out'), signal)
  expect(moves).toEqual([['.new', '.origin', 'frames', 'made.mp4', 'out']])
})

test('a file never replaces a folder, and nothing is left beside it', async () => {
  await mkdir(join(folder, 'out.mp4'))
  await expect(placeArtifact(join(folder, 'made.mp4'), join(folder, 'out.mp4'), idle)).rejects.toThrow('it is a folder')
  expect(await readdir(folder)).toEqual(['made.mp4', 'out.mp4'])
})

test('an aborted delivery leaves nothing', async () => {
  await expect(placeArtifact(join(folder, 'made.mp4'), join(folder, 'out.mp4'), AbortSignal.abort())).rejects.toThrow()
  expect(await readdir(folder)).toEqual(['made.mp4'])
})

test('what a killed delivery left beside an output goes with the next one, and a name may have 255 bytes', async () => {
  // The start time of the name is that of no process.
  const left = `${scratchName('.vid-').replace(/-\d+(-\w+)$/, '-1$1')}.new`
  await writeFile(join(folder, left), 'half')
  const name = `${'a'.repeat(251)}.mp4`
  await placeArtifact(join(folder, 'made.mp4'), join(folder, name), idle)
  expect((await readdir(folder)).sort()).toEqual([name, 'made.mp4'].sort())
})
