import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { makeFolder } from './fixtures/function.ts'
import { createWorkFolders } from './work-folder.ts'

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
