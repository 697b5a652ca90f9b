import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { path } from './workspaces.mjs'

const program = path('scripts/dev.mjs')

test('the command and a vid.config.ts run from sources, and share their packages', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-dev-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'node_modules'))
  await symlink(path('node_modules/@vid'), join(folder, 'node_modules/@vid'))
  await writeFile(join(folder, 'index.html'), '<div data-composition-id="main" data-duration="1"></div>')
  await writeFile(
    join(folder, 'vid.config.ts'),
    `const from: string = import.meta.resolve('@vid/kernel')
     console.error(from)
     export default { unknown: true }`,
  )
  const run = promisify(execFile)(process.execPath, [program, 'inspect', '.'], {
    cwd: folder,
    env: { ...process.env, INIT_CWD: folder },
  })
  const failure = await run.catch((thrown) => thrown)
  expect(failure.stderr).toContain('/packages/base/kernel/src/index.ts')
  expect(failure.stderr).toContain('VID_CONFIG_INVALID')
  expect(failure.code).toBe(2)
})

test('with --watch the command runs again when a source changes', async () => {
  const child = spawn(process.execPath, [program, '--watch', '--version'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill())
  let runs = 0
  for await (const line of createInterface(child.stdout)) {
    expect(line).toMatch(/^\d+\.\d+\.\d+$/)
    runs += 1
    if (runs === 2) break
    await utimes(path('packages/engine/cli/src/main.ts'), new Date(), new Date())
  }
  expect(runs).toBe(2)
})
