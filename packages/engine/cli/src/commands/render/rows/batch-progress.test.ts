import { PassThrough } from 'node:stream'
import { liveProgress, type Progress, type Report, silentProgress } from '@vid/command'
import type { Manifest } from '@vid/render'
import { expect, test } from 'vitest'
import { batchProgress } from './batch-progress.ts'

const manifest = {
  total: 4,
  completed: 1,
  failed: 0,
  skipped: 0,
  cancelled: 0,
  unchanged: 0,
  manifestPath: '/manifest.json',
  rows: [],
} as unknown as Manifest

const runOf = (stderr: PassThrough, progress: Progress) => ({
  stderr,
  progress,
  cwd: '/',
  json: false,
  options: {},
  report: { note: () => {} } as unknown as Report,
})

test('on a terminal, the line of a batch has a bar and the rows that run', () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 100 })
  const progress = batchProgress(runOf(stderr, liveProgress(stderr)))
  progress.update(manifest, new Map([[1, 0.5]]))
  expect(String(stderr.read())).toBe('\r\u001b[K1/4 rows [#######-------------] 37 %, row 1 50 %')
  progress.clear()
  expect(String(stderr.read())).toBe('\r\u001b[K')
})

test('in a log, nothing is drawn over again', () => {
  const stderr = Object.assign(new PassThrough(), { columns: 100 })
  batchProgress(runOf(stderr, silentProgress)).update(manifest, new Map())
  expect(stderr.read()).toBeNull()
})

/** The lines of a log for a batch of which each row ends, every one of them with a failure if it `fails`. */
const logOf = (total: number, fails: boolean): readonly string[] => {
  const lines: string[] = []
  const run = runOf(new PassThrough(), silentProgress)
  const { ended } = batchProgress({ ...run, report: { note: (text: string) => lines.push(text) } as unknown as Report })
  for (let index = 0; index < total; index += 1) {
    const rows = Array.from({ length: index + 1 }, (_, row) => ({ index: row }))
    const counts = fails ? { failed: index + 1, completed: 0 } : { completed: index + 1 }
    const failure = fails ? { code: 'VID_PAGE_LOAD', message: 'nothing there' } : undefined
    const row = { index, outputPath: `/out/${index}.mp4`, segments: { total: 1, reused: 0 }, failure }
    ended({ ...manifest, total, ...counts, rows } as unknown as Manifest, row as never)
  }
  return lines
}

test('in the log of a large batch, the first rows have a line each, and then each tenth of it', () => {
  const lines = logOf(500, false)
  expect(lines).toHaveLength(20)
  expect(lines[9]).toMatch(/^10\/500 rows: row 9, .*9\.mp4$/)
  expect(lines[10]).toMatch(/^50\/500 rows/)
  expect(lines.at(-1)).toMatch(/^500\/500 rows/)
})

test('in the log of a small batch, each row has a line', () => {
  expect(logOf(20, false)).toHaveLength(20)
})

test('of many rows that fail, only the first ones are shown', () => {
  const lines = logOf(500, true)
  expect(lines).toHaveLength(11)
  expect(lines[0]).toBe('1/500 rows: row 0 failed: VID_PAGE_LOAD: nothing there')
  expect(lines.at(-1)).toBe('only the first 10 failures are shown here')
})
