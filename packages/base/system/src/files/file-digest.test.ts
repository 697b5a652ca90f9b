import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { digestFile, digestFolder } from './file-digest.ts'

const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-digest-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of ['b.png', 'a.png', 'frame_000010.png']) await writeFile(join(folder, name), `of ${name}`)
  return folder
}

test('the digest of a folder is that of what sha256sum prints there, in any order of its files', async () => {
  const folder = await makeFolder()
  const printed = execFileSync('sh', ['-c', 'LC_ALL=C sha256sum *'], { cwd: folder })
  const names = ['frame_000010.png', 'b.png', 'a.png']
  const digests = new Map<string, string>()
  for (const name of names) digests.set(name, await digestFile(join(folder, name)))
  expect(digestFolder(digests)).toBe(createHash('sha256').update(printed).digest('hex'))
})

test('reading a file for its digest ends with the signal', async () => {
  const file = join(await makeFolder(), 'a.png')
  await expect(digestFile(file, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
})
