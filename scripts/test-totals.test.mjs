import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { linesOf } from '../e2e/long/first-use/pages.mjs'
import { path } from './workspaces.mjs'

/** A report of vitest with one file. */
const report = (passed, ...failures) => {
  const failed = failures.map((fullName) => ({ fullName, status: 'failed', failureMessages: ['why it failed'] }))
  const file = { name: path('some.test.ts'), status: failed.length > 0 ? 'failed' : 'passed', assertionResults: failed }
  return JSON.stringify({ numPassedTests: passed, numFailedTests: failed.length, testResults: [file] })
}

const totals = (files) => {
  const folder = mkdtempSync(join(tmpdir(), 'vid-totals-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const { status, stdout } = spawnSync(process.execPath, [path('scripts/test-totals.mjs'), folder], {
    encoding: 'utf8',
  })
  return { status, lines: stdout.trim().split('\n') }
}

const good = {
  'test-check.json': report(16),
  'test-check.exit': '0\n',
  'test-unit.json': report(5000),
  'test-unit.exit': '0\n',
  'test.step': '0\n',
}

test('the tests of all suites are counted, and the line stands alone at the end', () => {
  const e2e = { 'e2e-integration.json': report(300), 'e2e-integration.exit': '0', 'e2e.step': '0' }
  expect(totals({ ...good, ...e2e })).toEqual({ status: 0, lines: ['5316 passed, 0 failed'] })
})

test('a failed test is counted once, although its suite and its command fail as well', () => {
  const files = { ...good, 'test-unit.json': report(4999, 'sees red'), 'test-unit.exit': '1', 'test.step': '1' }
  const { status, lines } = totals(files)
  expect({ status, last: lines.at(-1) }).toEqual({ status: 1, last: '5015 passed, 1 failed' })
  expect(lines[0]).toBe('failed: some.test.ts › sees red: why it failed')
})

test.each([
  [
    'a suite that fails outside its tests',
    { ...good, 'test-unit.exit': '1', 'test.step': '1' },
    '5016 passed, 1 failed',
  ],
  ['a suite that ends without a report', { 'test-unit.exit': '139', 'test.step': '1' }, '0 passed, 1 failed'],
  ['an installation that fails', { 'test.step': '1' }, '0 passed, 1 failed'],
  ['a build that fails before the second command', { ...good, 'e2e.step': '2' }, '5016 passed, 1 failed'],
])('%s is one failure', (_what, files, last) => {
  const { status, lines } = totals(files)
  expect({ status, last: lines.at(-1) }).toEqual({ status: 1, last })
})

test('nothing that was tried is no success', () => {
  expect(totals({})).toEqual({ status: 1, lines: ['0 passed, 0 failed'] })
})

test('CI runs the test command of the README as it stands', () => {
  const command = linesOf('README.md').find((line) => line.includes('npm test'))
  expect(command).toBe('npm ci && npm test')
  expect(readFileSync(path('.ci/run'), 'utf8').split('\n')).toContain(command)
})
