import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlobStore, type Blobs, noSources, type PluginOf, type StoredBlob } from '@vid/kernel'
import { onTestFinished } from 'vitest'
import { scratchFolder } from './rig.ts'
import { stopsInTime } from './suite.ts'

/** The blobs of a list, in the order of their keys. */
export const listBlobs = async (store: Pick<Blobs, 'list'>, prefix: string): Promise<StoredBlob[]> => {
  const blobs: StoredBlob[] = []
  for await (const blob of store.list(prefix)) blobs.push(blob)
  return blobs.sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** A store as a test uses it: with texts instead of files, and a time limit on every call. */
const textStore = (store: BlobStore, folder: string) => {
  const nextFile = () => join(folder, randomUUID())
  return {
    /** Puts a file of this text. */
    async put(key: string, text: string) {
      const path = nextFile()
      await writeFile(path, text)
      await stopsInTime(store.put(key, path))
    },
    putMissing: (key: string) => stopsInTime(store.put(key, nextFile())),
    /** The text of the file that the store writes; undefined when it reports none. */
    async get(key: string) {
      const path = nextFile()
      const isThere = await stopsInTime(store.get(key, path))
      const text = await readFile(path, 'utf8').catch(() => undefined)
      if (isThere !== (text !== undefined)) throw new Error(`get() is ${isThere}, and its file is "${text}"`)
      return text
    },
    read: (key: string) => stopsInTime(store.read(key)),
    write: (key: string, text: string) => stopsInTime(store.write(key, text)),
    touch: (keys: readonly string[]) => stopsInTime(store.touch(keys)),
    list: (prefix: string) => stopsInTime(listBlobs(store, prefix)),
    remove: (...keys: readonly string[]) => stopsInTime(store.remove(keys)),
    close: () => stopsInTime(store.close()),
  }
}

/** A project and a store for it, which is opened as often as renders would. */
export const openStoreProject = async (plugin: PluginOf<'store'>) => {
  const folder = await scratchFolder()
  const projectDir = join(folder, 'project')
  await mkdir(projectDir)
  const contextOf = (signal: AbortSignal) => ({
    options: plugin.options,
    signal,
    projectDir,
    workDir: folder,
    sources: noSources,
    warn: () => {},
  })
  /** Opens the store; it is closed when the test ends. */
  const open = async (signal: AbortSignal = new AbortController().signal) => {
    const store = await stopsInTime(plugin.open(contextOf(signal)))
    let closing: Promise<void> | undefined
    const close = () => {
      closing ??= store.close()
      return closing
    }
    onTestFinished(close)
    return textStore({ ...store, close }, folder)
  }
  const clean = () => plugin.clean?.(contextOf(new AbortController().signal))
  return { open, clean }
}
