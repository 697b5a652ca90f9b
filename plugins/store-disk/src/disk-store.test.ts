import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { noSources } from '@vid/kernel'
import { listBlobs } from '@vid/testkit'
import { expect, onTestFinished, test } from 'vitest'
import disk from './index.ts'

/** A project whose store is opened by renders. */
const createProject = async () => {
  const projectDir = await mkdtemp(join(tmpdir(), 'vid-disk-'))
  onTestFinished(() => rm(projectDir, { recursive: true, force: true }))
  const source = join(projectDir, 'source')
  const contextOf = (store: ReturnType<typeof disk>) => ({
    options: store.options,
    signal: new AbortController().signal,
    projectDir,
    workDir: projectDir,
    sources: noSources,
    warn: () => {},
  })
  return {
    root: join(projectDir, '.vid/cache'),
    async open(options: Parameters<typeof disk>[0] = {}) {
      const plugin = disk(options)
      const store = await plugin.open(contextOf(plugin))
      const put = async (key: string, bytes: number) => {
        await writeFile(source, Buffer.alloc(bytes))
        await store.put(key, source)
      }
      return { ...store, put, get: (key: string) => store.get(key, join(projectDir, randomUUID())) }
    },
    async clean() {
      const plugin = disk()
      return plugin.clean?.(contextOf(plugin))
    },
  }
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory() && entry.name !== '.gitignore')
    .map((entry) => join(entry.parentPath, entry.name))

const bytesIn = async (folder: string) => {
  const sizes = await Promise.all((await filesIn(folder)).map(async (file) => (await stat(file)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

const makeOld = async (root: string) => {
  for (const file of await filesIn(root)) await utimes(file, new Date(0), new Date(0))
}

test('what was used longest ago goes first', async () => {
  const { open, root } = await createProject()
  const store = await open({ maxBytes: 35_000 })
  for (const key of ['contents/a', 'contents/b', 'contents/c']) await store.put(key, 10_000)
  await makeOld(root)
  await store.touch(['contents/a', 'contents/gone'])
  await store.put('contents/d', 10_000)
  await store.close()
  expect(await bytesIn(root)).toBeLessThanOrEqual(35_000)
  expect([await store.get('contents/a'), await store.get('contents/d')]).toEqual([true, true])
})

test('many small writes keep to the limit, and so do those of another process', async () => {
  const { open, root } = await createProject()
  const stores = [await open({ maxBytes: 64_000 }), await open({ maxBytes: 64_000 })]
  for (let round = 0; round < 60; round += 1) {
    for (const [index, store] of stores.entries()) await store.put(`contents/${index}-${round}`, 1_000)
    // Each may be short of the other's last writes, up to a part of the limit.
    expect(await bytesIn(root)).toBeLessThanOrEqual(64_000 + 2 * 3_000)
  }
  for (const store of stores) await store.close()
  expect(await bytesIn(root)).toBeLessThanOrEqual(64_000)
})

test('a part that a killed process left behind is removed, one that is being written is not', async () => {
  const { open, root } = await createProject()
  const store = await open()
  for (const [name, date] of [
    ['abandoned', new Date(Date.now() - 2 * 60 * 60 * 1000)],
    ['current', new Date()],
  ] as const) {
    await writeFile(join(root, 'partial', name), 'half')
    await utimes(join(root, 'partial', name), date, date)
  }
  await store.put('contents/a', 10)
  expect(await readdir(join(root, 'partial'))).toEqual(['current'])
})

test('a cache of an older format is not read, and goes with the limit or when it is cleaned', async () => {
  const { open, clean, root } = await createProject()
  const writeOldCache = async () => {
    for (const folder of ['contents', 'segments/abc']) {
      await mkdir(join(root, folder), { recursive: true })
      await writeFile(join(root, folder, 'a'), Buffer.alloc(1_000))
    }
    await makeOld(root)
  }
  await writeOldCache()
  const store = await open({ maxBytes: 1_000 })
  expect(await listBlobs(store, '')).toEqual([])
  expect(await store.get('contents/a')).toBe(false)
  await store.put('contents/b', 500)
  expect((await filesIn(root)).map((file) => file.slice(root.length))).toEqual(['/v2/contents/b'])
  await writeOldCache()
  expect(await clean()).toBe(2_500)
  await expect(stat(root)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('cleaning leaves what no store has written', async () => {
  const { open, clean, root } = await createProject()
  const store = await open()
  await store.write('segments/a', 'text')
  await writeFile(join(root, 'notes.txt'), 'mine')
  expect(await clean()).toBe(4)
  expect(await readdir(root)).toEqual(['notes.txt'])
})

test('a cache that is cleaned while it is used loses blobs, and shows no wrong ones', async () => {
  const { open, clean } = await createProject()
  const store = await open()
  for (let round = 0; round < 20; round += 1) {
    const [, freed] = await Promise.all([store.write('segments/a', 'text').catch(() => {}), clean()])
    expect(freed).toBeGreaterThanOrEqual(0)
    expect(['text', undefined]).toContain(await store.read('segments/a'))
  }
  await store.write('segments/a', 'text')
  expect(await store.read('segments/a')).toBe('text')
})

test('things that no store has made are removed, and nothing waits for them', async () => {
  const { open, root } = await createProject()
  const store = await open()
  const keys = ['contents/a', 'segments/b', 'segments/c']
  for (const key of keys) await store.write(key, 'text')
  await rm(join(root, 'v2/segments/c'))
  await mkdir(join(root, 'v2/segments/c/d'), { recursive: true })
  for (const key of keys.slice(0, 2)) {
    await rm(join(root, 'v2', key))
    execFileSync('mkfifo', [join(root, 'v2', key)])
  }
  expect([await store.get(keys[0] ?? ''), await store.read(keys[1] ?? '')]).toEqual([false, undefined])
  for (const key of keys) await store.write(key, 'again')
  for (const key of keys) expect(await store.read(key)).toBe('again')
})

test('no key leads out of the folder', async () => {
  const { open } = await createProject()
  const store = await open()
  for (const key of ['../a', 'a/../../b', '/etc/passwd', 'a//b', '.gitignore', '', 'a\\b'])
    await expect(store.write(key, 'text'), key).rejects.toMatchObject({ code: 'VID_STORE_KEY' })
})

test('a folder that cannot be made is named', async () => {
  const { open, root } = await createProject()
  await mkdir(join(root, '..'))
  await writeFile(root, '')
  await expect(open()).rejects.toMatchObject({
    code: 'VID_STORE_FOLDER',
    message: expect.stringContaining(root),
  })
})

test('the folder is for its owner alone, and git is told to leave it out', async () => {
  const { open, root } = await createProject()
  await open()
  expect((await stat(root)).mode & 0o777).toBe(0o700)
  expect(await readFile(join(root, '.gitignore'), 'utf8')).toBe('*\n')
})

test('a link of the project that leads elsewhere is not followed, when writing or cleaning', async () => {
  const { root, open, clean } = await createProject()
  const elsewhere = await mkdtemp(join(tmpdir(), 'vid-elsewhere-'))
  onTestFinished(() => rm(elsewhere, { recursive: true, force: true }))
  await symlink(elsewhere, dirname(root))
  await expect(open()).rejects.toMatchObject({ code: 'VID_STORE_FOLDER' })
  await expect(clean()).rejects.toMatchObject({ code: 'VID_STORE_FOLDER' })
  expect(await readdir(elsewhere)).toEqual([])
})
