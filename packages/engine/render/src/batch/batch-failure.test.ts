import { expect, test } from 'vitest'
import type { ManifestRow } from './manifest.ts'
import { batchFailure } from './run-batch.ts'

const row = (facts: Partial<ManifestRow>): ManifestRow => ({
  index: 0,
  status: 'failed',
  outputPath: '/out/a.mp4',
  variables: {},
  durationMs: null,
  renderTimeMs: null,
  error: null,
  startedAt: null,
  completedAt: null,
  ...facts,
})

const failureOf = (manifestPath: string, rows: readonly ManifestRow[]) =>
  batchFailure({
    version: 1,
    batchPath: '',
    manifestPath,
    total: rows.length,
    completed: 0,
    failed: rows.length,
    skipped: 0,
    cancelled: 0,
    unchanged: 0,
    rows,
  }).message

const inShapes = [row({ row: 0, shape: '16:9' }), row({ row: 0, shape: '1:1' })]

test.each([
  ['rows are counted as rows', '/out/manifest.json', [row({}), row({})], '2 of 2 rows failed.'],
  ['rows in several shapes are counted as videos', '/out/manifest.json', inShapes, '2 of 2 videos failed.'],
  ['shapes of one render are named', '', inShapes, '2 of 2 shapes failed: 16:9, 1:1.'],
])('%s', (_, manifestPath, rows, message) => {
  expect(failureOf(manifestPath, rows)).toBe(message)
})
