import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { path } from '../../../scripts/workspaces.mjs'

test('four damaged inputs are rendered without a finding', { timeout: 300_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-fuzz-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const args = [path('e2e/long/fuzz.mjs'), '--count', '4', '--seed', '7', '--findings', join(folder, 'findings')]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toMatch(/^4 inputs of seed 7 in \d+ s: 0 findings$/m)
})
