import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshFolder } from '../fixtures/archives.ts'
import { findBrowser } from '../index.ts'
import { findInstalled } from './find.ts'
import { installedPaths } from './installed.ts'

const embeddable = process.platform === 'linux' && process.arch === 'x64'

const program = async (folder: string, name: string, says: string): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\necho ${says}\n`, { mode: 0o755 })
  return path
}

test.runIf(embeddable)('a machine without a setting gets the embedded headless shell', async () => {
  const executable = await findBrowser()
  expect(executable).toMatchObject({ kind: 'headless-shell', source: 'embedded' })
  expect(executable.version).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
  expect((await stat(executable.path)).size).toBeGreaterThan(100_000_000)
  expect(executable.env).toMatchObject({ TZ: 'UTC', LC_ALL: 'en_US.UTF-8' })
  expect((await stat(executable.env.FONTCONFIG_FILE ?? '')).isFile()).toBe(true)
  expect((await stat(executable.env.LD_LIBRARY_PATH?.split(':')[0] ?? '')).isDirectory()).toBe(true)
})

test.runIf(embeddable)('a browser that was found before is not unpacked or started again to find it', async () => {
  const before = await findBrowser()
  const { ino, mtimeMs } = await stat(before.path)
  let started = 0
  const count = () => {
    started += 1
  }
  subscribe('child_process', count)
  onTestFinished(() => void unsubscribe('child_process', count))
  expect(await findBrowser()).toMatchObject({ path: before.path, version: before.version })
  expect(await stat(before.path)).toMatchObject({ ino, mtimeMs })
  expect(started).toBe(0)
})

test('VID_BROWSER_PATH wins over the configured path, and each is used as named', async () => {
  await using folder = await freshFolder()
  const cacheDir = join(folder.path, 'cache')
  const shell = await program(folder.path, 'chrome-headless-shell', 'Chromium 140.0.1.2')
  const chrome = await program(folder.path, 'google-chrome', 'Google Chrome 141.0.3.4')
  const env = { ...process.env, VID_BROWSER_PATH: shell }
  expect(await findBrowser({ path: chrome, cacheDir, env })).toMatchObject({
    path: shell,
    kind: 'headless-shell',
    version: '140.0.1.2',
    source: 'environment',
  })
  expect(await findBrowser({ path: chrome, cacheDir, env: process.env })).toMatchObject({
    path: chrome,
    kind: 'chrome',
    version: '141.0.3.4',
    source: 'option',
  })
})

test('a program that was replaced is asked for its version again', async () => {
  await using folder = await freshFolder()
  const cacheDir = join(folder.path, 'cache')
  const path = await program(folder.path, 'chrome', 'Chromium 140.0.1.2')
  expect((await findBrowser({ path, cacheDir })).version).toBe('140.0.1.2')
  await program(folder.path, 'chrome', 'Chromium 150.0.10.20')
  expect((await findBrowser({ path, cacheDir })).version).toBe('150.0.10.20')
})

test('a launcher whose browser was replaced is asked for its version again', async () => {
  await using folder = await freshFolder()
  const cacheDir = join(folder.path, 'cache')
  const browser = await program(folder.path, 'inner', 'Chromium 140.0.1.2')
  const path = join(folder.path, 'chromium')
  await writeFile(path, `#!/bin/sh\n# made for 140.0.1.2\nexec '${browser}' "$@"\n`, { mode: 0o755 })
  expect((await findBrowser({ path, cacheDir })).version).toBe('140.0.1.2')
  await program(folder.path, 'inner', 'Chromium 150.0.10.20')
  expect((await findBrowser({ path, cacheDir })).version).toBe('150.0.10.20')
})

test('the version of a program is noted where its own file decides it', async () => {
  await using folder = await freshFolder()
  const cacheDir = join(folder.path, 'cache')
  const { path, version, env } = await findBrowser()
  expect((await findBrowser({ path, cacheDir, env: { ...process.env, ...env } })).version).toBe(version)
  const notes = await readdir(join(cacheDir, 'versions'))
  expect(await readFile(join(cacheDir, 'versions', notes[0] ?? ''), 'utf8')).toBe(version)
})

test('a wrong VID_BROWSER_PATH is refused with the value and what is wrong about it', async () => {
  await using folder = await freshFolder()
  const cacheDir = join(folder.path, 'cache')
  const look = (path: string) => findBrowser({ cacheDir, env: { PATH: process.env.PATH, VID_BROWSER_PATH: path } })
  const notes = join(folder.path, 'notes.txt')
  await writeFile(notes, 'notes', { mode: 0o644 })
  const other = await program(folder.path, 'other', 'something else 1.2.3.4')
  const missing = join(folder.path, 'nowhere')
  const cases: [string, string][] = [
    [missing, 'VID_BROWSER_PATH_MISSING'],
    [notes, 'VID_BROWSER_PATH_NOT_EXECUTABLE'],
    [folder.path, 'VID_BROWSER_PATH_NOT_EXECUTABLE'],
    [other, 'VID_BROWSER_PATH_NOT_A_BROWSER'],
  ]
  for (const [path, code] of cases) {
    await expect(look(path)).rejects.toMatchObject({
      code,
      fault: 'caller',
      message: expect.stringMatching(`VID_BROWSER_PATH .*"${path}"`),
    })
  }
})

test('VID_HEADED finds an installed full Chrome before any headless shell', async () => {
  await using folder = await freshFolder()
  const cacheDir = join(folder.path, 'cache')
  await program(folder.path, 'chrome-headless-shell', 'Chromium 140.0.1.2')
  const path = await program(folder.path, 'google-chrome', 'Google Chrome 141.0.1.2')
  const env = { PATH: `${folder.path}:${process.env.PATH}`, VID_HEADED: '1' }
  expect(await findBrowser({ cacheDir, env })).toMatchObject({ path, kind: 'chrome' })
})

test('VID_HEADED refuses a configured headless shell', async () => {
  await using folder = await freshFolder()
  const path = await program(folder.path, 'chrome-headless-shell', 'Chromium 140.0.1.2')
  const finding = findBrowser({
    cacheDir: join(folder.path, 'cache'),
    env: { PATH: process.env.PATH, VID_HEADED: '1', VID_BROWSER_PATH: path },
  })
  await expect(finding).rejects.toMatchObject({
    code: 'VID_BROWSER_WITHOUT_WINDOW',
    fault: 'caller',
    message: expect.stringContaining(`headless-shell "${path}"`),
  })
})

test('a cache folder that every user may write to is refused', async () => {
  await using folder = await freshFolder()
  await chmod(folder.path, 0o777)
  await expect(findBrowser({ cacheDir: folder.path })).rejects.toMatchObject({
    code: 'VID_CACHE_DIR_UNSAFE',
    message: expect.stringContaining(folder.path),
  })
})

test.skipIf(process.getuid === undefined)('a cache folder of another user is refused', async () => {
  await using folder = await freshFolder()
  const foreign = join(folder.path, 'foreign')
  await mkdir(foreign)
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chown(foreign, 65_534, 65_534)
  const cacheDir = isRoot ? foreign : '/usr'
  await expect(findBrowser({ cacheDir })).rejects.toMatchObject({ code: 'VID_CACHE_DIR_UNSAFE' })
  await symlink(cacheDir, join(folder.path, 'link'))
  await expect(findBrowser({ cacheDir: join(folder.path, 'link') })).rejects.toMatchObject({
    code: 'VID_CACHE_DIR_UNSAFE',
  })
})

test('a cache folder that is a file is refused with its path', async () => {
  await using folder = await freshFolder()
  const env = { ...process.env, VID_CACHE_DIR: join(folder.path, 'file') }
  await writeFile(env.VID_CACHE_DIR, '')
  await expect(findBrowser({ env })).rejects.toMatchObject({
    code: 'VID_CACHE_DIR_UNUSABLE',
    message: expect.stringContaining(env.VID_CACHE_DIR),
  })
})

test('the cache folder is made for its owner alone', async () => {
  await using folder = await freshFolder()
  const cacheDir = join(folder.path, 'deep/cache')
  const path = await program(folder.path, 'chrome', 'Chromium 140.0.1.2')
  await findBrowser({ path, cacheDir })
  expect((await stat(cacheDir)).mode & 0o777).toBe(0o700)
})

test('an aborted search throws the reason', async () => {
  await expect(findBrowser({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
})

test.runIf(process.platform === 'linux')('an installed launcher that runs no browser is passed over', async () => {
  await using folder = await freshFolder()
  const env = { PATH: folder.path }
  await program(folder.path, 'chrome-headless-shell', 'install me first')
  const path = await program(folder.path, 'chromium', 'Chromium 140.0.1.2')
  const search = { env, cacheDir: join(folder.path, 'cache'), signal: undefined }
  expect(await findInstalled(search)).toMatchObject({ path, version: '140.0.1.2', source: 'installed' })
})

test('each platform has its usual places, a headless shell before a full browser', () => {
  const linux = installedPaths({ PATH: '/usr/bin:/snap/bin' }, 'linux')
  expect(linux.indexOf('/snap/bin/chrome-headless-shell')).toBeLessThan(linux.indexOf('/usr/bin/google-chrome'))
  expect(installedPaths({ HOME: '/Users/me' }, 'darwin')).toContain(
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  )
  expect(installedPaths({ PROGRAMFILES: 'C:\\Program Files' }, 'win32')).toContain(
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  )
})

test.runIf(process.platform === 'linux')(
  'a Firefox is found by its own names and distinguished from a Chromium',
  async () => {
    await using folder = await freshFolder()
    const cacheDir = join(folder.path, 'cache')
    const path = await program(folder.path, 'firefox-esr', 'Mozilla Firefox 140.12.0esr')
    const chromium = await program(folder.path, 'chromium', 'Chromium 140.0.1.2')
    const env = { PATH: folder.path }
    expect(await findBrowser({ engine: 'firefox', env, cacheDir })).toMatchObject({
      path,
      version: '140.12.0esr',
      kind: 'firefox',
      source: 'installed',
      env: { TZ: 'UTC', FONTCONFIG_FILE: expect.stringContaining(cacheDir) },
    })
    await expect(findBrowser({ engine: 'firefox', path: chromium, env, cacheDir })).rejects.toMatchObject({
      code: 'VID_BROWSER_PATH_NOT_A_BROWSER',
      message: expect.stringContaining('is not a Firefox browser'),
    })
    // The version of one must not be cached for the other.
    await expect(findBrowser({ path, env, cacheDir })).rejects.toMatchObject({
      code: 'VID_BROWSER_PATH_NOT_A_BROWSER',
      message: expect.stringContaining('is not a Chromium browser'),
    })
  },
)

test('each platform has its usual places for a Firefox', () => {
  expect(installedPaths({ PATH: '/snap/bin' }, 'linux', 'firefox')).toEqual(
    expect.arrayContaining(['/snap/bin/firefox', '/snap/bin/firefox-esr']),
  )
  expect(installedPaths({ HOME: '/Users/me' }, 'darwin', 'firefox')).toContain(
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  )
  expect(installedPaths({ PROGRAMFILES: 'C:\\Program Files' }, 'win32', 'firefox')).toEqual([
    'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
  ])
})
