import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { boundFolder, bytesOf, trimFolder } from '../index.ts'

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-bounded-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A folder with folders of 100 bytes each, used at these seconds. */
const filled = async (seconds: Readonly<Record<string, number>>) => {
  const folder = await newFolder()
  for (const [name, usedSeconds] of Object.entries(seconds)) {
    await mkdir(join(folder, name, 'deep'), { recursive: true })
    await writeFile(join(folder, name, 'deep', 'file'), Buffer.alloc(100))
    await utimes(join(folder, name), usedSeconds, usedSeconds)
  }
  return folder
}

test('what was used longest ago is removed until the rest is within the limit', async () => {
  const folder = await filled({ old: 1, older: 0, new: 2 })
  expect(await trimFolder(folder, { maxBytes: 250 })).toBe(200)
  expect((await readdir(folder)).sort()).toEqual(['new', 'old'])
  expect(await trimFolder(folder, { maxBytes: 0 })).toBe(0)
  expect(await readdir(folder)).toEqual([])
  expect(await trimFolder(join(folder, 'missing'), { maxBytes: 0 })).toBe(0)
})

test('what is in use, was used recently, or has another name stays', async () => {
  const folder = await filled({ a: 0, b: 1, c: Date.now() / 1000, other: 0 })
  const limit = {
    maxBytes: 0,
    keepMs: 60_000,
    isUsed: (path: string) => path.endsWith('a'),
    isEntry: (name: string) => name !== 'other',
  }
  expect(await trimFolder(folder, limit)).toBe(200)
  expect((await readdir(folder)).sort()).toEqual(['a', 'c', 'other'])
})

test('a file with holes counts as what it takes on the disk', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'small'), 'text')
  const { truncate } = await import('node:fs/promises')
  await writeFile(join(folder, 'sparse'), '')
  await truncate(join(folder, 'sparse'), 2 ** 30)
  await writeFile(join(folder, 'sparse'), 'text', { flag: 'r+' })
  expect(await bytesOf(join(folder, 'small'))).toBe(4)
  expect(await bytesOf(join(folder, 'sparse'))).toBeLessThan(2 ** 20)
})

test('a bounded folder is counted when it is first written to, and keeps what this process uses', async () => {
  const folder = await filled({ a: 0, b: 1 })
  const files = boundFolder(folder, { maxBytes: 200 })
  await files.touch(join(folder, 'a'))
  await writeFile(join(folder, 'c'), Buffer.alloc(100))
  await files.add(join(folder, 'c'), 100)
  expect((await readdir(folder)).sort()).toEqual(['a', 'c'])
})
