import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, presetOf, sleeper } from '../fixtures/project.ts'
import { type BatchResult, type RenderBatchOptions, renderBatch } from '../index.ts'

const optionsOf = (cwd: string): RenderBatchOptions => ({
  projectDir: 'intro',
  output: 'out/{title}.mp4',
  context: { cwd, env: {}, presets: presetOf() },
})
const titles = (count: number) => Array.from({ length: count }, (_, n) => ({ title: `t${n}` }))
const collect = async (results: AsyncIterable<BatchResult>) => {
  const all: BatchResult[] = []
  for await (const result of results) all.push(result)
  return all.sort((one, other) => one.index - other.index)
}

test('rows of an array become videos, and a row that cannot be rendered is a result', async () => {
  const cwd = await makeFolder()
  const rows = [{ title: 'a' }, { title: 'a' }, { title: 'b/c' }, {}, { title: 'd' }]
  const results = await collect(renderBatch(rows, { ...optionsOf(cwd), concurrency: 2 }))
  expect(results.map(({ status }) => status)).toEqual(['completed', 'failed', 'failed', 'failed', 'completed'])
  expect(results[1]).toMatchObject({
    error: { code: 'VID_BATCH_ROW', message: expect.stringContaining('Rows 0 and 1') },
  })
  expect(results[4]).toMatchObject({ index: 4, variables: { title: 'd' }, durationMs: 500 })
  expect((await readdir(join(cwd, 'out'))).sort()).toEqual(['a.mp4', 'd.mp4'])
})

test('a cursor is read no faster than its results are taken, and closed when they are not wanted any more', async () => {
  const cwd = await makeFolder()
  let read = 0
  let isClosed = false
  const cursor = async function* () {
    try {
      for (const row of titles(1000)) {
        read += 1
        yield row
      }
    } finally {
      isClosed = true
    }
  }
  let taken = 0
  for await (const result of renderBatch(cursor(), { ...optionsOf(cwd), concurrency: 2 })) {
    expect(result.status).toBe('completed')
    taken += 1
    expect(read).toBeLessThanOrEqual(taken + 3)
    if (taken === 10) break
  }
  expect({ taken, isClosed }).toEqual({ taken: 10, isClosed: true })
  expect(read).toBeLessThanOrEqual(13)
})

test('an abort stops running rows, closes their pages and rejects with its reason', async () => {
  const cwd = await makeFolder()
  const { capture, seen } = sleeper()
  const stop = new AbortController()
  const options = { ...optionsOf(cwd), context: { cwd, env: {}, presets: presetOf(capture) }, signal: stop.signal }
  const onRender: RenderBatchOptions['onRender'] = (_index, event) => {
    if (event.type === 'render-progress' && event.stage === 'render') stop.abort(new Error('enough'))
  }
  await expect(collect(renderBatch(titles(5), { ...options, onRender }))).rejects.toThrow('enough')
  expect(seen.opened).toBeGreaterThan(0)
  expect(seen.closed).toBe(seen.opened)
  expect(await readdir(join(cwd, 'out')).catch(() => [])).toEqual([])
})

test('with a journal, rows that are finished and unchanged are not rendered again', async () => {
  const cwd = await makeFolder()
  const options = { ...optionsOf(cwd), journal: 'out/journal.jsonl' }
  const statuses = async (rows: readonly { readonly title: string }[]) =>
    (await collect(renderBatch(rows, options))).map(({ status }) => status)
  expect(await statuses(titles(3))).toEqual(['completed', 'completed', 'completed'])
  expect(await statuses([...titles(3), { title: 'new' }])).toEqual(['unchanged', 'unchanged', 'unchanged', 'completed'])
  const journal = join(cwd, 'out/journal.jsonl')
  // Half a line, as a process that was killed leaves it.
  await writeFile(journal, `${await readFile(journal, 'utf8')}{"outputPath":"/x`)
  await writeFile(join(cwd, 'out/t1.mp4'), 'other')
  expect(await statuses(titles(3))).toEqual(['unchanged', 'completed', 'unchanged'])
  expect(await statuses(titles(3))).toEqual(['unchanged', 'unchanged', 'unchanged'])
  await writeFile(join(cwd, 'intro/new.css'), '')
  expect(await statuses(titles(1))).toEqual(['completed'])
})

test('a queue that waits for its next row keeps back no result, and an abort ends the waiting', async () => {
  const cwd = await makeFolder()
  const queue = async function* () {
    yield { title: 'only' }
    await new Promise(() => {})
  }
  const stop = new AbortController()
  const seen: string[] = []
  const all = async () => {
    for await (const { status } of renderBatch(queue(), { ...optionsOf(cwd), concurrency: 3, signal: stop.signal })) {
      seen.push(status)
      stop.abort(new Error('closed'))
    }
  }
  await expect(all()).rejects.toThrow('closed')
  expect(seen).toEqual(['completed'])
})

test('rows without a template of outputs are numbered', async () => {
  const cwd = await makeFolder()
  const { output: _, ...options } = optionsOf(cwd)
  const results = await collect(renderBatch(titles(2), { ...options, format: 'mp4,webm' }))
  expect(results.map(({ status }) => status)).toEqual(['completed', 'completed'])
  expect((await readdir(join(cwd, 'renders'))).sort()).toEqual([
    'intro-0.mp4',
    'intro-0.webm',
    'intro-1.mp4',
    'intro-1.webm',
  ])
})
