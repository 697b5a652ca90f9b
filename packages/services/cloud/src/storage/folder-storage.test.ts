import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../fixtures/work.ts'
import { openFolderStorage } from './folder-storage.ts'
import { createSignedFiles } from './signed-files.ts'

test('empty folders go with their last file, also while others put files there', async () => {
  const folder = await makeFolder()
  const storage = await openFolderStorage(
    folder,
    createSignedFiles('secret', () => ''),
  )
  const file = join(await makeFolder(), 'file')
  await writeFile(file, 'x')
  const key = (number: number) => `results/render_1/${number % 3}/${number}`
  await Promise.all(
    Array.from({ length: 60 }, async (_, number) => {
      await storage.put(key(number), file)
      expect(await storage.size(key(number))).toBe(1)
      await storage.remove([key(number)])
    }),
  )
  expect(await readdir(folder)).toEqual(['.incoming'])
  await storage.put('results/render_2/kept', file)
  await storage.remove(['results/render_2/gone'])
  expect(await storage.size('results/render_2/kept')).toBe(1)
})

test('what is touched counts as written now, and nothing is made of what is not there', async () => {
  const folder = await makeFolder({ 'segments/a': 'x' })
  const storage = await openFolderStorage(
    folder,
    createSignedFiles('secret', () => ''),
  )
  const { utimes } = await import('node:fs/promises')
  await utimes(join(folder, 'segments/a'), 1, 1)
  await storage.below('segments/', { signal: new AbortController().signal }).touch(['a', 'b'])
  const objects = []
  for await (const object of storage.list('segments/')) objects.push(object)
  expect(objects).toMatchObject([{ key: 'segments/a' }])
  expect(objects[0]?.usedMs).toBeGreaterThan(Date.now() - 60_000)
})
