import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { hasNamespaces } from '../../../../../scripts/dev/namespaces.ts'
import { runsPrograms } from './program-folder.ts'

const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-programs-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('a folder that can be written runs programs, and nothing is left in it', async () => {
  const folder = await makeFolder()
  expect(await runsPrograms(folder)).toBe(true)
  expect(await readdir(folder)).toEqual([])
  await expect(runsPrograms(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test.runIf(hasNamespaces)('a folder that is mounted without the right to run runs none', async () => {
  const folder = await makeFolder()
  const code = `import { runsPrograms } from '@vid/system'
console.log(await runsPrograms(${JSON.stringify(folder)}))`
  const script = 'mount -t tmpfs -o noexec none "$1"; shift; exec "$@"'
  const node = [process.execPath, '--input-type=module', '--eval', code]
  const words = ['--mount', '--map-root-user', 'sh', '-ec', script, 'sh', folder, ...node]
  expect((await promisify(execFile)('unshare', words, { cwd: import.meta.dirname })).stdout.trim()).toBe('false')
})
