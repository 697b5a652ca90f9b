import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { measureRun } from './measured-run.mjs'

test('a run that is stopped ends only when the command has cleaned up', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-bench-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'cleaned')
  const command = `
    process.on('SIGTERM', () => setTimeout(() => {
      require('node:fs').writeFileSync(${JSON.stringify(file)}, 'yes')
      process.exit(1)
    }, 200))
    setInterval(() => {}, 1000)
    console.log('ready')`
  const stop = new AbortController()
  const run = measureRun(process.execPath, ['-e', command], {
    onLine: () => stop.abort(),
    signal: stop.signal,
  })
  await expect(run).rejects.toThrow()
  expect(await readFile(file, 'utf8')).toBe('yes')
})
