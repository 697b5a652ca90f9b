import { chmod, mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cacheFolders, claimCacheFolder, claimFolder } from './cache-folder.ts'

const freshFolder = async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'vid-cache-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const firstOf = (env: NodeJS.ProcessEnv) => cacheFolders(env)[0]?.path

test.runIf(process.platform === 'linux')(
  'an empty or relative XDG_CACHE_HOME or HOME does not lead into the current folder',
  () => {
    expect(firstOf({ HOME: '/somewhere', XDG_CACHE_HOME: '/caches' })).toBe('/caches/vid')
    for (const base of ['', '.', 'relative', undefined])
      expect(firstOf({ HOME: '/somewhere', XDG_CACHE_HOME: base })).toBe('/somewhere/.cache/vid')
    for (const home of ['', 'relative', undefined])
      expect(firstOf({ HOME: home })).toBe(join(userInfo().homedir, '.cache/vid'))
  },
)

test('VID_CACHE_DIR is used or nothing, any other has one for temporary files in its place', () => {
  expect(cacheFolders({ VID_CACHE_DIR: '/mine', XDG_CACHE_HOME: '/caches' })).toEqual([{ path: '/mine', chosen: true }])
  expect(cacheFolders({ HOME: '/somewhere', TMPDIR: '/t' }).at(-1)?.path).toMatch(/^\/t\/vid-cache-/)
})

test('a folder is claimed for this user alone, and not below one that others may write to', async () => {
  const folder = await freshFolder()
  const cache = join(folder, 'above/cache')
  expect(await claimFolder(cache)).toBeUndefined()
  expect((await stat(cache)).mode & 0o777).toBe(0o700)
  await chmod(join(folder, 'above'), 0o777)
  expect(await claimFolder(cache)).toBe(`every user may write to ${folder}/above`)
  await chmod(join(folder, 'above'), 0o1777)
  expect(await claimFolder(cache)).toBeUndefined()
  await mkdir(join(folder, 'open'))
  await chmod(join(folder, 'open'), 0o707)
  expect(await claimFolder(join(folder, 'open'))).toContain('every user may write')
})

test('a folder of the cache is one that only this user can write to, or none', async () => {
  const folder = await freshFolder()
  const env = { VID_CACHE_DIR: join(folder, 'cache') }
  expect(await claimCacheFolder('code', env)).toBe(join(folder, 'cache/code'))
  await chmod(join(folder, 'cache/code'), 0o777)
  expect(await claimCacheFolder('code', env)).toBeUndefined()
  expect(await claimCacheFolder('code', { VID_CACHE_DIR: '/dev/null' })).toBeUndefined()
})
