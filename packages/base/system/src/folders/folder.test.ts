import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from './folder.ts'

const freshFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-folder-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('a folder is created with its parents, also when it exists or is created twice at once', async () => {
  const path = join(await freshFolder(), 'a/b/c')
  await Promise.all([makeFolder(path, 0o700), makeFolder(path, 0o700)])
  await makeFolder(path)
  expect((await stat(path)).mode & 0o777).toBe(0o700)
})

test('an existing file at the path is refused', async () => {
  const file = join(await freshFolder(), 'file')
  await writeFile(file, '')
  await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

test.runIf(process.platform === 'linux')('where the system makes no folder, it is refused at once', async () => {
  await expect(makeFolder('/proc/vid/cache')).rejects.toMatchObject({ code: 'ENOENT' })
})
