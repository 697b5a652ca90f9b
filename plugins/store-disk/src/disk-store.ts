import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlobStore, describeCause, isVidError } from '@vid/kernel'
import { folderBlobs, makeFolder } from '@vid/system'
import { BLOBS, evict, PARTIAL_FOLDER } from './cache-files.ts'
import { fail } from './errors.ts'

/** Share of the limit after which files of other processes are counted again. */
const RECOUNT_SHARE = 1 / 32

/** Creates the folders of a cache, which git ignores. */
const makeFolders = async (root: string): Promise<void> => {
  await makeFolder(root, 0o700)
  for (const folder of [BLOBS, PARTIAL_FOLDER]) await mkdir(join(root, folder), { recursive: true, mode: 0o700 })
  await writeFile(join(root, '.gitignore'), '*\n', { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw cause
  })
}

/** Evicts blobs over the limit, as this process adds them and once at the end. */
const createLimit = (root: string, maxBytes: number) => {
  let unchecked = 0
  let headroom = 0
  const check = async () => {
    const left = await evict(root, maxBytes)
    unchecked = 0
    headroom = Math.min(maxBytes - left, maxBytes * RECOUNT_SHARE)
  }
  return {
    async add(bytes: number) {
      unchecked += bytes
      if (unchecked > headroom) await check()
    },
    async close() {
      if (unchecked > 0) await check()
    },
  }
}

/** Opens a store in a folder, which is created if needed; it keeps no files open. */
export const openDiskStore = async (root: string, maxBytes: number): Promise<BlobStore> => {
  const limit = createLimit(root, maxBytes)
  const folderError = (cause: unknown) =>
    isVidError(cause) ? cause : fail('VID_STORE_FOLDER', { root, reason: describeCause(cause) }, { cause })
  const orFail = (work: Promise<void>): Promise<void> =>
    work.catch((cause: unknown) => {
      throw folderError(cause)
    })
  const blobs = folderBlobs(join(root, BLOBS), {
    incoming: join(root, PARTIAL_FOLDER),
    isCache: true,
    refuse: (key) => fail('VID_STORE_KEY', { key }),
    failed: (_action, _key, cause) => folderError(cause),
  })
  await orFail(makeFolders(root))
  return {
    ...blobs,
    maxBytes,
    async put(key, path) {
      await blobs.put(key, path)
      await orFail(stat(path).then(({ size }) => limit.add(size)))
    },
    async write(key, text) {
      await blobs.write(key, text)
      await orFail(limit.add(Buffer.byteLength(text)))
    },
    close: () => orFail(limit.close()),
  }
}
