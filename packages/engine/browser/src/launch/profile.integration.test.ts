import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { nextLine } from '../fixtures/archives.ts'
import { createProfile, hasRoomyTmpfs } from './profile.ts'

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

test('the profile of a killed render is removed by the next one, that of a running render is not', async () => {
  const script = fileURLToPath(new URL('../fixtures/profile-child.mjs', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const path = await nextLine(child)
  const meanwhile = await createProfile()
  expect((await stat(path)).isDirectory()).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const after = await createProfile()
  // What killed renders left is removed beside the work, and before a profile's own end.
  await Promise.all([meanwhile.remove(), after.remove()])
  await expect(stat(path)).rejects.toThrow('ENOENT')
})

test('VID_KEEP_SCRATCH=1 keeps a profile, prints its path, and no later render removes it', async () => {
  vi.stubEnv('VID_KEEP_SCRATCH', '1')
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const profile = await createProfile()
  await writeFile(join(profile.path, 'Cookies'), 'x')
  await profile.remove()
  const folder = /^kept the browser profile: (.*)\n$/.exec(String(write.mock.calls[0]?.[0]))?.[1] ?? ''
  vi.unstubAllEnvs()
  write.mockRestore()
  const other = await createProfile()
  expect(await readdir(folder)).toEqual(['Cookies'])
  await Promise.all([other.remove(), rm(folder, { recursive: true })])
})

test('a folder that is not there has no room', async () => {
  expect(await hasRoomyTmpfs('/no/such/folder')).toBe(false)
})
