import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  openProjectCache,
  type ProjectCache,
  type ProjectCacheOptions,
  readManifest,
  writeProjectZip,
} from '../index.ts'

const { signal } = new AbortController()

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-projects-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const openCache = async (options: Partial<ProjectCacheOptions> = {}) => {
  const folder = options.folder ?? (await newFolder())
  const cache = await openProjectCache({ maxBytes: 1000, ...options, folder })
  onTestFinished(() => cache.close())
  return { cache, folder }
}

/** Puts a project of one file into a cache, for an owner. */
const add = async (cache: ProjectCache, owner: string, text: string) => {
  const project = join(await mkdtemp(join(cache.incoming, 'sent-')), 'project')
  await mkdir(project)
  await writeFile(join(project, 'index.html'), text)
  const manifest = await readManifest(project)
  return cache.add(`${owner}-${manifest.digest}`, project, manifest)
}

/** A room of so many bytes. */
const roomOf = (maxBytes: number) => {
  const state = { bytes: 0 }
  return {
    state,
    take(bytes: number) {
      if (state.bytes + bytes > maxBytes) throw new Error('full')
      state.bytes += bytes
    },
    free(bytes: number) {
      state.bytes -= bytes
    },
  }
}

test('held projects take room, once for all who hold them, and a project that has none is not kept', async () => {
  const room = roomOf(15)
  const { cache, folder } = await openCache({ room })
  const first = await add(cache, 'a', '0123456789')
  const second = await add(cache, 'a', '0123456789')
  expect([room.state.bytes, second.folder]).toEqual([10, first.folder])
  await expect(add(cache, 'b', '0123456789')).rejects.toThrow('full')
  expect(readdirSync(folder).sort()).toEqual([`a-${first.digest}`, 'incoming'])
  first.release()
  first.release()
  expect(room.state.bytes).toBe(10)
  second.release()
  expect(room.state.bytes).toBe(0)
  const again = await cache.find(`a-${first.digest}`)
  expect([room.state.bytes, again?.folder]).toEqual([10, first.folder])
})

test('what nobody holds goes when it is too old or too much, and not before', async () => {
  const { cache } = await openCache({ maxBytes: 15, maxIdleMs: 60_000 })
  const project = await add(cache, 'a', '0123456789')
  const idle = await add(cache, 'b', '0123456789')
  const last = await add(cache, 'c', '0123456789')
  idle.release()
  last.release()
  expect(existsSync(idle.folder)).toBe(true)
  await cache.trim()
  expect([project, idle, last].map(({ folder }) => existsSync(folder))).toEqual([true, false, true])
  const { cache: forgetful } = await openCache({ maxIdleMs: -1 })
  const old = await add(forgetful, 'a', 'text')
  await forgetful.trim()
  expect(existsSync(old.folder)).toBe(true)
  old.release()
  await forgetful.trim()
  expect([existsSync(old.folder), await forgetful.find(`a-${old.digest}`)]).toEqual([false, undefined])
})

test('the next process finds the projects of an earlier one with their bytes, and not what was on its way', async () => {
  const { cache, folder } = await openCache()
  const project = await add(cache, 'a', '0123456789')
  await mkdir(join(cache.incoming, 'half'))
  await cache.close()
  const room = roomOf(100)
  const { cache: next } = await openCache({ folder, room })
  expect(readdirSync(next.incoming)).toEqual([])
  expect((await next.find(`a-${project.digest}`))?.folder).toBe(project.folder)
  expect(room.state.bytes).toBe(10)
})

test('a zip is fetched once for all who ask, and one that is lost is asked for again', async () => {
  const project = await newFolder()
  await writeFile(join(project, 'index.html'), 'text')
  const manifest = await readManifest(project)
  const { cache } = await openCache()
  let fetches = 0
  const source = {
    async fetch(path: string) {
      fetches += 1
      if (fetches === 1) return false
      await writeProjectZip(project, manifest, path)
      return true
    },
    lost: (problem: string) => new Error(`it ${problem}`),
  }
  await expect(cache.hold(manifest.digest, source, signal)).rejects.toThrow('it no longer exists')
  const projects = await Promise.all([1, 2, 3].map(() => cache.hold(manifest.digest, source, signal)))
  expect([fetches, new Set(projects.map(({ folder }) => folder)).size]).toEqual([2, 1])
  expect(readdirSync(cache.incoming)).toEqual([])
  await expect(cache.hold('no-digest', source, signal)).rejects.toThrow('not a key of a project')
})
