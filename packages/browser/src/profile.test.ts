import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProfile } from './index.ts'
import { hasRoomyTmpfs } from './profile.ts'

test('a profile is private to its user and gone once removed, with what the browser put there', async () => {
  const profile = await createProfile()
  expect((await stat(profile.path)).mode & 0o777).toBe(0o700)
  await writeFile(join(profile.path, 'Cookies'), 'x')
  await profile.remove()
  await profile.remove()
  await expect(stat(profile.path)).rejects.toThrow('ENOENT')
})

test('each profile is a folder of its own', async () => {
  const [first, second] = await Promise.all([createProfile(), createProfile()])
  expect(first.path).not.toBe(second.path)
  await Promise.all([first.remove(), second.remove()])
})

test('a folder that is not there has no room', async () => {
  expect(await hasRoomyTmpfs('/no/such/folder')).toBe(false)
})
