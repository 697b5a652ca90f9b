import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { defineStore, machineLocal, Type, withDefault } from '@vid/kernel'

/** A key as the name of a file, and back: slashes would be folders. */
const nameOf = (key: string) => key.replaceAll('/', '+')
const keyOf = (name: string) => name.replaceAll('+', '/')

/** The blobs of a folder, without parts that are being written and files that are removed meanwhile. */
const blobsIn = async (folder: string) => {
  const names = (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith('.'))
  const blobs = await Promise.all(
    names.map(async (name) => {
      const facts = await stat(join(folder, name)).catch(() => undefined)
      return facts?.isFile() ? [{ key: keyOf(name), bytes: facts.size, usedMs: facts.mtimeMs }] : []
    }),
  )
  return blobs.flat()
}

/** Keeps blobs as files of a folder: replace it with your own storage. */
export default defineStore({
  name: '@vid/store-template',
  options: Type.Object({
    /** The folder, from that of the project. */
    folder: withDefault(machineLocal(Type.String({ minLength: 1 })), '.vid/template'),
  }),

  async open({ options, projectDir }) {
    const folder = resolve(projectDir, options.folder)
    await mkdir(folder, { recursive: true })
    const pathOf = (key: string) => join(folder, nameOf(key))
    /** Writes beside the path and renames, so that an incomplete blob is never read. */
    const place = async (key: string, write: (path: string) => Promise<void>) => {
      const part = join(folder, `.${randomUUID()}`)
      try {
        await write(part)
        await rename(part, pathOf(key))
      } finally {
        await rm(part, { force: true })
      }
    }
    return {
      get: (key, path) =>
        copyFile(pathOf(key), path).then(
          () => true,
          () => false,
        ),
      put: (key, path) => place(key, (part) => copyFile(path, part)),
      read: (key) => readFile(pathOf(key), 'utf8').catch(() => undefined),
      write: (key, text) => place(key, (part) => writeFile(part, text)),
      async touch(keys) {
        const now = new Date()
        await Promise.all(keys.map((key) => utimes(pathOf(key), now, now).catch(() => {})))
      },
      async *list(prefix) {
        for (const blob of await blobsIn(folder)) if (blob.key.startsWith(prefix)) yield blob
      },
      async remove(keys) {
        for (const key of keys) await rm(pathOf(key), { force: true })
      },
      close: async () => {},
    }
  },

  /** What `vid clean` calls; a store that many projects share may leave it out. */
  async clean({ options, projectDir }) {
    const folder = resolve(projectDir, options.folder)
    const blobs = await blobsIn(folder)
    await rm(folder, { recursive: true, force: true })
    return blobs.reduce((sum, { bytes }) => sum + bytes, 0)
  },
})
