import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { VidError } from '@vid/protocol'
import { expect, test } from 'vitest'
import { elsewhere } from '../fixtures/elsewhere.ts'
import { makeFolder } from '../fixtures/project.ts'
import { openContext, planBatch, runBatch } from '../index.ts'
import type { BatchEvent } from './batch-events.ts'
import type { BatchOptions } from './run-batch.ts'

const { signal } = new AbortController()

const titles = (text: string) => [...text].map((title) => ({ title }))

/** Renders rows on a target; what came of each, in the order in which it was reported. */
const renderRows = async (
  render: NonNullable<Parameters<typeof elsewhere>[0]>['render'],
  rows: readonly { readonly title: string }[],
  options: Partial<BatchOptions> = {},
) => {
  const cwd = await makeFolder()
  const { presets } = elsewhere({ ...(render && { render }) })
  const context = await openContext({ cwd, env: {}, presets })
  const batch = await planBatch({ projectDir: 'intro', rows, output: 'out/{title}.mp4' }, context, signal)
  const events: BatchEvent[] = []
  const warnings: string[] = []
  const manifest = await runBatch(batch, {
    signal,
    onEvent: (event) => void events.push(event),
    onWarning: ({ code, message }) => void warnings.push(`${code} ${message}`),
    ...options,
  })
  const ends = events.filter(({ type }) => /^batch-row-(?:complete|error)$/.test(type))
  return { manifest, events, warnings, ends: ends.map((end) => ('index' in end ? end.index : -1)), cwd }
}

test('a target that cannot be used is said once, before the first row, and no list of rows is left', async () => {
  const cwd = await makeFolder()
  let sent = 0
  const { presets } = elsewhere({
    check: () => Promise.reject(failure('machine')),
    async render() {
      sent += 1
      throw failure('machine')
    },
  })
  const context = await openContext({ cwd, env: {}, presets })
  const batch = await planBatch(
    { projectDir: 'intro', rows: titles('abc'), output: 'out/{title}.mp4' },
    context,
    signal,
  )
  await expect(runBatch(batch, { signal })).rejects.toMatchObject({ code: 'VID_FARM' })
  expect([sent, existsSync(join(cwd, 'out/manifest.json'))]).toEqual([0, false])
})

const failure = (fault: 'machine' | 'render') =>
  new VidError('VID_FARM', { message: 'It is full.', hint: 'Wait.', fault })

test('rows of a batch go to a target that takes requests whole, no more at once than the batch allows, until their artifact is here', async () => {
  const cwd = await makeFolder()
  let running = 0
  let max = 0
  const { presets, seen } = elsewhere({
    async render({ variables, workers }, { paths: [path], progress }) {
      expect(workers).toBe('auto')
      running += 1
      max = Math.max(max, running)
      progress({ stage: 'render', framesRendered: 15, totalFrames: 15 })
      progress({ stage: 'join', framesRendered: 15, totalFrames: 15 })
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
      await writeFile(path, String(variables.title))
      running -= 1
      return { artifact: { path }, frames: 15, durationMs: 500 }
    },
  })
  const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map((title) => ({ title }))
  const context = await openContext({ cwd, env: {}, presets })
  const batch = await planBatch({ projectDir: 'intro', rows, output: 'out/{title}.mp4' }, context, signal)
  const manifest = await runBatch(batch, { concurrency: 2, signal })
  expect([manifest.completed, max, seen.opened]).toEqual([6, 2, 0])
  expect(await readFile(join(cwd, 'out/f.mp4'), 'utf8')).toBe('f')
})

test('a row that fails by a fault of another machine is rendered again after the rows that wait, twice at most', async () => {
  const tries: unknown[] = []
  const { manifest, warnings, cwd } = await renderRows(
    async ({ variables: { title } }, { paths: [path] }) => {
      const isFirst = !tries.includes(title)
      tries.push(title)
      if (title === 'a' && isFirst) throw failure('machine')
      if (title === 'b') throw failure('machine')
      if (title === 'c') throw failure('render')
      await writeFile(path, String(title))
      return { artifact: { path }, frames: 15, durationMs: 500 }
    },
    titles('abcdefgh'),
    // Of rows that run at once, the later one may well end first.
    { concurrency: 1 },
  )
  expect(tries.join('')).toBe('abcdefghabb')
  expect(manifest.rows.flatMap(({ status, index }) => (status === 'completed' ? [] : [index]))).toEqual([1, 2])
  expect(warnings.toSorted()).toEqual([
    'VID_ROW_RETRIED Row 0 is rendered again: It is full.',
    'VID_ROW_RETRIED Row 1 is rendered again: It is full.',
    'VID_ROW_RETRIED Row 1 is rendered again: It is full.',
  ])
  expect(await readFile(join(cwd, 'out/a.mp4'), 'utf8')).toBe('a')
})

test('a row that is stopped where it is rendered has failed, and is not one that was cancelled here', async () => {
  const cancelled = new VidError('VID_CANCELLED', { message: 'Cancelled.', hint: '', fault: 'caller' })
  const { manifest } = await renderRows(() => Promise.reject(cancelled), titles('a'), { retries: 0 })
  expect(manifest.rows).toMatchObject([{ status: 'failed', error: { code: 'VID_ROW_STOPPED' } }])
})

test('a row that still has a try does not end a batch that ends with the first failure', async () => {
  let tries = 0
  const { manifest } = await renderRows(
    async ({ variables: { title } }, { paths: [path] }) => {
      if (title === 'a' && tries++ < 2) throw failure('machine')
      if (title === 'c') throw failure('machine')
      await writeFile(path, String(title))
      return { artifact: { path }, frames: 15, durationMs: 500 }
    },
    titles('ab'),
    { failFast: true },
  )
  expect(manifest).toMatchObject({ completed: 2, failed: 0, skipped: 0 })
  const { manifest: ended } = await renderRows(() => Promise.reject(failure('machine')), titles('ab'), {
    failFast: true,
    retries: 0,
  })
  expect(ended.rows.map(({ status }) => status)).toEqual(['failed', 'skipped'])
})

test('what rows have cost is in the manifest, and their sum in the summary', async () => {
  const { manifest, events } = await renderRows(async ({ variables: { title } }, { paths: [path] }) => {
    await writeFile(path, String(title))
    const cost = { a: { usd: 0.25 }, b: { usd: 0.5, isUpperBound: true } }[String(title)]
    return { artifact: { path }, frames: 15, durationMs: 500, ...(cost && { cost }) }
  }, titles('abc'))
  expect(manifest.rows.map(({ cost }) => cost)).toEqual([{ usd: 0.25 }, { usd: 0.5, isUpperBound: true }, undefined])
  expect(events.at(-1)).toMatchObject({ type: 'batch-complete', cost: { usd: 0.75, isUpperBound: true } })
  const { events: free } = await renderRows(undefined, titles('a'))
  expect(free.at(-1)).not.toHaveProperty('cost')
})
