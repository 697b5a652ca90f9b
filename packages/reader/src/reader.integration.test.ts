import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openReader, type Reader, type ReaderLimits } from './reader.ts'

const page = (inner: string) =>
  `<!doctype html><body><div data-composition-id="main" data-width="64" data-height="36" data-duration="2">${inner}</div>`
const { signal } = new AbortController()
let folder: string
const project = async (html: string): Promise<string> => {
  const path = await mkdtemp(join(folder, 'project-'))
  await writeFile(join(path, 'index.html'), html)
  return path
}
const withReader = async <T>(limits: ReaderLimits, work: (reader: Reader) => Promise<T>): Promise<T> => {
  const reader = await openReader(limits)
  try {
    return await work(reader)
  } finally {
    await reader.close()
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reader-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const paragraphs = (count: number) => page('<p data-start="0" style="color: red">text</p>'.repeat(count))

test('a composition is read as it is in this thread', async () => {
  const dir = await project(page('<p data-start="0">text</p>'))
  const { composition } = await withReader({ seconds: 120, mib: 1024 }, (reader) =>
    reader.load(dir, 'index.html', { signal }),
  )
  expect(composition).toMatchObject({ width: 64, height: 36 })
})

test('a composition that takes too long is its own fault, and the next one is read', async () => {
  const large = await project(paragraphs(150_000))
  const small = await project(page(''))
  await withReader({ seconds: 0.01, mib: 8192 }, async (reader) => {
    await expect(reader.lint(large, 'index.html', { alpha: false, signal })).rejects.toMatchObject({
      code: 'VID_READ_TIMEOUT',
      fault: 'render',
    })
  })
  await withReader({ seconds: 120, mib: 1024 }, async (reader) => {
    expect((await reader.lint(small, 'index.html', { alpha: false, signal })).errors).toBe(0)
  })
})

test('a composition that takes too much memory is its own fault, and the next one is read', async () => {
  const large = await project(paragraphs(20_000))
  const small = await project(page(''))
  await withReader({ seconds: 120, mib: 24 }, async (reader) => {
    await expect(reader.lint(large, 'index.html', { alpha: false, signal })).rejects.toMatchObject({
      code: 'VID_READ_MEMORY',
      fault: 'render',
    })
    expect((await reader.lint(small, 'index.html', { alpha: false, signal })).errors).toBe(0)
  })
})

test('an error of the composition arrives as it was thrown', async () => {
  const dir = await project('<p>no composition</p>')
  await withReader({ seconds: 120, mib: 1024 }, async (reader) => {
    await expect(reader.load(dir, 'index.html', { signal })).rejects.toMatchObject({
      code: expect.stringMatching(/^VID_/),
      fault: 'render',
    })
  })
})
