import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { trimFolder } from './bounded-folder.ts'
import { makeFolder } from './fixtures/function.ts'
import { createWorkFolders } from './work-folder.ts'

test('what was used longest ago is removed until the rest is within the limit', async () => {
  const folder = await makeFolder()
  for (const [name, seconds] of Object.entries({ old: 1, older: 0, new: 2 })) {
    await mkdir(join(folder, name, 'deep'), { recursive: true })
    await writeFile(join(folder, name, 'deep', 'file'), Buffer.alloc(100_000))
    await utimes(join(folder, name), seconds, seconds)
  }
  await trimFolder(folder, 250_000)
  expect((await readdir(folder)).sort()).toEqual(['new', 'old'])
  await trimFolder(folder, 0)
  expect(await readdir(folder)).toEqual([])
  await trimFolder(join(folder, 'missing'), 0)
})

test('the work of a call is removed when it fails, and that of one which never came back when the next begins', async () => {
  const parent = await makeFolder()
  const withWorkFolder = createWorkFolders(parent)
  await expect(withWorkFolder(async () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await readdir(parent)).toEqual([])
  void withWorkFolder(() => new Promise(() => {}))
  await expect.poll(() => readdir(parent)).toHaveLength(1)
  await withWorkFolder(async (folder) => {
    expect(await readdir(parent)).toEqual([folder.split('/').at(-1)])
  })
  expect(await readdir(parent)).toEqual([])
})
