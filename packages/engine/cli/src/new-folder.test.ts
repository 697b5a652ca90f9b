import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fillFolder } from './new-folder.ts'

test('files of a folder that could not be filled are removed, and those of others stay', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-fill-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const signal = new AbortController().signal
  await fillFolder(folder, { 'theirs.txt': 'precious' }, signal)
  const files = { 'a.txt': 'a', 'parts/b.txt': 'b', 'theirs.txt': 'ours' }
  await expect(fillFolder(folder, files, signal)).rejects.toMatchObject({ code: 'EEXIST' })
  expect(await readdir(folder)).toEqual(['theirs.txt'])
})
