import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readManifest, writeProjectZip } from '@vid/project'
import { scratchName } from '@vid/system'
import { expect, onTestFinished, test } from 'vitest'
import { openProcessProjects } from './process-projects.ts'

/** Machines may be busy with other things. */
const patient = { timeout: 60_000 }
const { signal } = new AbortController()

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-cloud-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A storage that holds the zips of projects of one file, and counts what is fetched. */
const withProjects = async (texts: Readonly<Record<string, string>>) => {
  const folder = await newFolder()
  const digests: Record<string, string> = {}
  for (const [name, text] of Object.entries(texts)) {
    const project = join(folder, name)
    mkdirSync(project)
    writeFileSync(join(project, 'index.html'), text)
    const manifest = await readManifest(project)
    await writeProjectZip(project, manifest, join(folder, `${name}.zip`))
    digests[name] = manifest.digest
  }
  const fetched: string[] = []
  const storage = {
    async get(key: string, path: string) {
      fetched.push(key)
      if (!existsSync(join(folder, `${key}.zip`))) return false
      await copyFile(join(folder, `${key}.zip`), path)
      return true
    },
  }
  const parent = await newFolder()
  const open = async (maxBytes = 1000) => {
    const cache = await openProcessProjects({ parent, storage, maxBytes })
    onTestFinished(() => cache.close())
    return {
      ...cache,
      hold: (name: string, leaving = signal) => cache.hold(name, digests[name] ?? '0'.repeat(64), leaving),
    }
  }
  return { open, fetched, digests, folder, parent }
}

test('a project that many ask for at once is unpacked once, and kept for the next', async () => {
  const { open, fetched } = await withProjects({ a: 'text of a' })
  const cache = await open()
  const projects = await Promise.all([cache.hold('a'), cache.hold('a'), cache.hold('a')])
  for (const project of projects) expect(readFileSync(join(project.folder, 'index.html'), 'utf8')).toBe('text of a')
  for (const project of projects) project.release()
  expect(existsSync((await cache.hold('a')).folder)).toBe(true)
  expect(fetched).toEqual(['a'])
  expect(readdirSync(cache.incoming)).toEqual([])
})

test('what is held stays; of the rest, what was not used for longest goes above the limit', async () => {
  const { open, fetched } = await withProjects({ a: 'a'.repeat(60), b: 'b'.repeat(60), c: 'c'.repeat(60) })
  const cache = await open(100)
  const a = await cache.hold('a')
  const b = await cache.hold('b')
  const c = await cache.hold('c')
  b.release()
  expect(existsSync(b.folder)).toBe(true)
  c.release()
  await expect.poll(() => existsSync(b.folder), patient).toBe(false)
  expect([existsSync(a.folder), existsSync(c.folder)]).toEqual([true, true])
  expect(existsSync((await cache.hold('b')).folder)).toBe(true)
  expect(fetched).toEqual(['a', 'b', 'c', 'b'])
})

test('a zip that is gone, or holds other files, is the fault of the machine, and is tried again next time', async () => {
  const { open, digests } = await withProjects({ a: 'a', b: 'b' })
  const cache = await open()
  await expect(cache.hold('missing')).rejects.toMatchObject({ code: 'VID_CLOUD_PROJECT_LOST' })
  const { a, b } = digests
  digests.a = b ?? ''
  await expect(cache.hold('a')).rejects.toMatchObject({ code: 'VID_CLOUD_PROJECT_LOST', fault: 'machine' })
  digests.a = a ?? ''
  expect(existsSync((await cache.hold('a')).folder)).toBe(true)
  expect(readdirSync(cache.incoming)).toEqual([])
})

test('a caller that leaves does not end the work that another waits for', async () => {
  const { open, fetched } = await withProjects({ a: 'a' })
  const cache = await open()
  const leaving = new AbortController()
  const first = cache.hold('a', leaving.signal)
  const second = cache.hold('a')
  leaving.abort(new Error('left'))
  await expect(first).rejects.toThrow('left')
  expect(existsSync((await second).folder)).toBe(true)
  expect(fetched).toEqual(['a'])
})

test('closing removes everything, and opening removes what a killed process has left, and of no other', async () => {
  const { open, parent } = await withProjects({ a: 'a' })
  const { pid } = spawnSync('true')
  const name = scratchName('.vid-projects-')
  const alive = join(parent, name)
  const dead = join(parent, name.replace(`-${process.pid}-`, `-${pid}-`))
  for (const folder of [alive, dead]) mkdirSync(join(folder, 'kept'), { recursive: true })
  const cache = await open()
  expect([existsSync(alive), existsSync(dead)]).toEqual([true, false])
  await cache.hold('a')
  await cache.close()
  expect(readdirSync(parent)).toEqual([name])
})
