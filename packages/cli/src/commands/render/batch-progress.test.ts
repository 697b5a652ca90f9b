import { PassThrough } from 'node:stream'
import type { Manifest } from '@vid/render'
import { expect, test } from 'vitest'
import { batchProgress } from './batch-progress.ts'

const manifest = { total: 4, completed: 1, failed: 0, skipped: 0 } as Manifest

test('on a terminal, the line of a batch has a bar and the rows that run', () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 100 })
  const progress = batchProgress({ stderr, env: {}, cwd: '/' }, { note: () => {} }, {})
  progress.update(manifest, new Map([[1, 0.5]]))
  expect(String(stderr.read())).toBe('\r\u001b[K1/4 rows [#######-------------] 37 %, row 1 50 %')
  progress.clear()
  expect(String(stderr.read())).toBe('\r\u001b[K')
})

test.each([
  ['in a log', false, {}],
  ['in CI', true, { CI: '1' }],
  ['on a terminal without abilities', true, { TERM: 'dumb' }],
])('%s, nothing is drawn over again', (_, isTTY, env) => {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 100 })
  batchProgress({ stderr, env, cwd: '/' }, { note: () => {} }, {}).update(manifest, new Map())
  expect(stderr.read()).toBeNull()
})
