import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { hasNamespaces } from '../../../../../scripts/dev/namespaces.ts'
import { freshFolder, nextLine, writeArchives } from '../fixtures/archives.ts'
import { unpackBrowser } from './unpack.ts'

const CHILD = fileURLToPath(new URL('../fixtures/unpack-child.mjs', import.meta.url))

const scene = async () => {
  const folder = await freshFolder()
  const archives = await writeArchives(folder.path)
  const cacheDir = join(folder.path, 'cache')
  await mkdir(cacheDir, { mode: 0o700 })
  let calls = 0
  const readVersion = async () => {
    calls += 1
    return '9.8.7.6'
  }
  return {
    archives,
    cacheDir,
    unpack: (signal?: AbortSignal, thorough = false) =>
      unpackBrowser({ archives, cacheDir, readVersion, signal, thorough }),
    startChild: () => spawn(process.execPath, [CHILD, archives, cacheDir], { stdio: ['pipe', 'pipe', 'inherit'] }),
    asked: () => calls,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

test('the embedded browser is unpacked once, with its libraries, and run once for its version', async () => {
  await using it = await scene()
  const first = await it.unpack()
  const second = await it.unpack()
  expect(second).toEqual({ ...first, fresh: false })
  expect(first.version).toBe('9.8.7.6')
  expect(await readFile(first.path, 'utf8')).toBe('the program')
  expect(await readFile(join(first.libraryDir, 'libnss3.so'), 'utf8')).toBe('nss')
  expect(it.asked()).toBe(1)
  expect(await readdir(it.cacheDir)).toHaveLength(1)
})

test('two processes that unpack at once end with one whole folder that both use', async () => {
  await using it = await scene()
  const children = [it.startChild(), it.startChild()]
  await Promise.all(children.map(nextLine))
  const answers = Promise.all(children.map(nextLine))
  for (const child of children) child.stdin.write('go\n')
  const [first, second] = await answers
  expect(second).toBe(first)
  expect(await readdir(it.cacheDir)).toHaveLength(1)
  expect((await it.unpack()).path).toBe(first)
  expect(it.asked()).toBe(0)
})

test('what a killed unpack left is removed and not used as a browser', async () => {
  await using it = await scene()
  const child = it.startChild()
  await nextLine(child)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await readdir(it.cacheDir)).toHaveLength(1)
  const { path } = await it.unpack()
  expect(await readFile(path, 'utf8')).toBe('the program')
  expect(it.asked()).toBe(1)
  expect(await readdir(it.cacheDir)).toHaveLength(1)
})

test('the files of an unpack in another process are left alone', async () => {
  await using it = await scene()
  const child = it.startChild()
  await nextLine(child)
  await it.unpack()
  expect(await readdir(it.cacheDir)).toHaveLength(2)
  const answer = nextLine(child)
  child.stdin.write('go\n')
  expect(await answer).toBe((await it.unpack()).path)
  expect(await readdir(it.cacheDir)).toHaveLength(1)
})

test('leftovers of another machine are removed when they are a day old', async () => {
  await using it = await scene()
  const day = new Date(Date.now() - 25 * 60 * 60 * 1000)
  const left = (pid: number) => `.unpacking-0123456789ab-${pid}-77-0123456789ab`
  for (const name of [left(1), left(2)]) await mkdir(join(it.cacheDir, name))
  await utimes(join(it.cacheDir, left(1)), day, day)
  await it.unpack()
  expect((await readdir(it.cacheDir)).filter((name) => name.startsWith('.'))).toEqual([left(2)])
})

test.each(['headless_shell', 'lib/libnss3.so', 'libEGL.so', 'manifest.json'])(
  'a finished unpack whose %s was truncated is repaired',
  async (file) => {
    await using it = await scene()
    const { path } = await it.unpack()
    const folder = join(path, '..')
    await truncate(join(folder, file), 1)
    await it.unpack()
    expect(it.asked()).toBe(2)
    expect(await readFile(path, 'utf8')).toBe('the program')
    expect(await readFile(join(folder, 'lib/libnss3.so'), 'utf8')).toBe('nss')
    await it.unpack()
    expect(it.asked()).toBe(2)
  },
)

test('a program of equal size and age that is not the unpacked one is replaced before it runs', async () => {
  await using it = await scene()
  const { path } = await it.unpack()
  const { atime, mtime } = await stat(path)
  await writeFile(path, 'the pr0gram')
  await utimes(path, atime, mtime)
  expect((await it.unpack()).fresh).toBe(true)
  expect(await readFile(path, 'utf8')).toBe('the program')
})

test.each([
  ['a program that cannot be run', 'headless_shell', 0o600],
  ['a library that every user may write to', 'lib/libnss3.so', 0o666],
  ['a folder without rights', 'lib', 0],
])('%s is repaired', async (_, file, mode) => {
  await using it = await scene()
  const { path } = await it.unpack()
  const damaged = join(path, '..', file)
  const before = await stat(damaged)
  await chmod(damaged, mode)
  // Root is not stopped by a folder's rights.
  expect((await it.unpack()).fresh).toBe(mode !== 0 || process.getuid?.() !== 0)
  if (mode !== 0) expect((await stat(damaged)).mode).toBe(before.mode)
})

test('a browser that was copied with its folder is used, and its bytes are read once', async () => {
  await using it = await scene()
  const { path } = await it.unpack()
  const folder = join(path, '..')
  const copy = join(it.cacheDir, 'copy')
  await cp(folder, copy, { recursive: true })
  await rm(folder, { recursive: true })
  await rename(copy, folder)
  const manifest = () => readFile(join(folder, 'manifest.json'), 'utf8')
  const before = await manifest()
  expect((await it.unpack()).fresh).toBe(false)
  expect(await manifest()).not.toBe(before)
  const { mtimeMs } = await stat(join(folder, 'manifest.json'))
  expect((await it.unpack()).fresh).toBe(false)
  expect((await stat(join(folder, 'manifest.json'))).mtimeMs).toBe(mtimeMs)
})

test('a file that lost its bytes but not its times is found by a thorough check', async () => {
  await using it = await scene()
  const { path } = await it.unpack()
  await writeFile(path, '\0'.repeat('the program'.length))
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
  const manifest = join(path, '../manifest.json')
  const recorded = JSON.parse(await readFile(manifest, 'utf8'))
  recorded.files.headless_shell.identity = [ino, size, mtimeNs, ctimeNs].join(' ')
  await writeFile(manifest, JSON.stringify(recorded))
  expect((await it.unpack()).fresh).toBe(false)
  expect((await it.unpack(undefined, true)).fresh).toBe(true)
  expect(await readFile(path, 'utf8')).toBe('the program')
  expect((await it.unpack(undefined, true)).fresh).toBe(false)
})

test('another build of the embedded browser gets its own folder', async () => {
  await using it = await scene()
  const first = await it.unpack()
  await writeArchives(join(it.archives, '..'), 'another program')
  const second = await it.unpack()
  expect(second.path).not.toBe(first.path)
  expect(await readFile(second.path, 'utf8')).toBe('another program')
})

test('a damaged archive is named and leaves nothing behind', async () => {
  await using it = await scene()
  const archive = join(it.archives, 'al2023.tar.br')
  await writeFile(archive, 'not brotli at all')
  await expect(it.unpack()).rejects.toMatchObject({
    code: 'VID_BROWSER_UNPACK_FAILED',
    message: expect.stringContaining(archive),
  })
  expect(await readdir(it.cacheDir)).toEqual([])
})

test.runIf(hasNamespaces)('a folder from which no program may run is named, before and after', async () => {
  await using it = await scene()
  const { path } = await it.unpack()
  const code = `import { unpackBrowser } from '@vid/browser'
const answer = unpackBrowser({ archives: ${JSON.stringify(it.archives)}, cacheDir: process.argv[1], readVersion: async () => '1' })
await answer.then(() => console.log('unpacked'), (error) => console.log(error.code, error.message))`
  const before = join(it.cacheDir, '../before')
  await mkdir(before, { mode: 0o700 })
  for (const [folder, mount] of [
    [before, 'mount -t tmpfs -o noexec none "$1"'],
    [it.cacheDir, 'mount --bind "$1" "$1"; mount -o remount,bind,noexec "$1"'],
  ] as const) {
    const node = [process.execPath, '--input-type=module', '--eval', code, folder]
    const words = ['--mount', '--map-root-user', 'sh', '-ec', `${mount}; shift; exec "$@"`, 'sh', folder, ...node]
    const { stdout } = await promisify(execFile)('unshare', words, { cwd: import.meta.dirname })
    expect(stdout).toMatch(/^VID_BROWSER_NOT_EXECUTABLE .*noexec/)
  }
  expect(await readFile(path, 'utf8')).toBe('the program')
})

test('an abort ends the unpack with its reason and leaves nothing behind', async () => {
  await using it = await scene()
  await expect(it.unpack(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  expect(await readdir(it.cacheDir)).toEqual([])
})
