import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFactsTask } from '@vid/core'
import { readHere } from '@vid/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boundedLintTask } from './read-tasks.ts'
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

const lintOf = (projectDir: string) => ({ projectDir, entry: 'index.html', alpha: false })
const paragraphs = (count: number) => page('<p data-start="0" style="color: red">text</p>'.repeat(count))

test('a composition is read as it is in this thread', async () => {
  const dir = await project(page('<p data-start="0">text</p>'))
  const input = { projectDir: dir, entry: 'index.html' }
  const facts = await withReader({ seconds: 120, mib: 1024 }, ({ reading }) => reading(readFactsTask, input, signal))
  expect(facts).toMatchObject({ width: 64, height: 36 })
  expect(facts).toEqual(await readHere(readFactsTask, input, signal))
})

test('a composition that takes too long is its own fault, and the next one is read', async () => {
  const large = await project(paragraphs(150_000))
  const small = await project(page(''))
  await withReader({ seconds: 0.01, mib: 8192 }, async ({ reading }) => {
    await expect(reading(boundedLintTask, lintOf(large), signal)).rejects.toMatchObject({
      code: 'VID_READ_TIMEOUT',
      fault: 'render',
    })
  })
  await withReader({ seconds: 120, mib: 1024 }, async ({ reading }) => {
    expect((await reading(boundedLintTask, lintOf(small), signal)).errors).toBe(0)
  })
})

test('a composition that takes too much memory is its own fault, and the next one is read', async () => {
  const large = await project(paragraphs(20_000))
  const small = await project(page(''))
  await withReader({ seconds: 120, mib: 24 }, async ({ reading }) => {
    await expect(reading(boundedLintTask, lintOf(large), signal)).rejects.toMatchObject({
      code: 'VID_READ_MEMORY',
      fault: 'render',
    })
    expect((await reading(boundedLintTask, lintOf(small), signal)).errors).toBe(0)
  })
})

test('an error of the composition arrives as it was thrown', async () => {
  const dir = await project('<p>no composition</p>')
  await withReader({ seconds: 120, mib: 1024 }, async ({ reading }) => {
    await expect(reading(readFactsTask, { projectDir: dir, entry: 'index.html' }, signal)).rejects.toMatchObject({
      code: expect.stringMatching(/^VID_/),
      fault: 'render',
    })
  })
})
