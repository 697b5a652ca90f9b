import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshFolder } from '../fixtures/archives.ts'
import { removeOldBrowsers } from './old-browsers.ts'

test('browsers of other versions are removed, but not one that runs, and nothing else', async () => {
  await using folder = await freshFolder()
  const names = ['browser-0a', 'browser-0b', 'browser-0c', 'downloaded-153.0.1.2', 'frames', 'fonts-0a.conf']
  for (const name of names) await mkdir(join(folder.path, name))
  const program = join(folder.path, 'browser-0b', 'headless_shell')
  await copyFile('/bin/sleep', program)
  const child = spawn(program, ['1000'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  expect(await removeOldBrowsers(folder.path, 'browser-0a')).toBe(2)
  expect((await readdir(folder.path)).sort()).toEqual(['browser-0a', 'browser-0b', 'fonts-0a.conf', 'frames'])
})

test('nothing is removed while the current browser is unknown', async () => {
  await using folder = await freshFolder()
  await mkdir(join(folder.path, 'browser-0a'))
  expect(await removeOldBrowsers(folder.path, undefined)).toBe(0)
  expect(await readdir(folder.path)).toEqual(['browser-0a'])
})
