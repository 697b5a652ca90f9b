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
