import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from '@vid/kernel'
import { describeCause, isVidError } from '@vid/protocol'
import { folderBlobs, makeFolder, removeAbandoned } from '@vid/system'
import { fail } from '../errors.ts'
import type { SignedFiles } from './signed-files.ts'
import type { Storage } from './storage.ts'

/** Name of the folder in which files are written before they are moved into place. */
const INCOMING = '.incoming'

/** How a folder is used. */
export interface FolderUse {
  /**
   * Several processes may use it at a time; otherwise reading creates nothing, and only the files themselves remain.
   */
  readonly isShared?: boolean
}

const failed = (action: string, key: string, cause: unknown) =>
  isVidError(cause) ? cause : fail('VID_CLOUD_STORAGE', { action, key, reason: describeCause(cause) }, { cause })

/** The blobs below a prefix, by the rest of their keys. */
const blobsBelow = (blobs: Blobs, prefix: string): Blobs => ({
  get: (key, path, options) => blobs.get(`${prefix}${key}`, path, options),
  put: (key, path, options) => blobs.put(`${prefix}${key}`, path, options),
  read: (key) => blobs.read(`${prefix}${key}`),
  write: (key, text) => blobs.write(`${prefix}${key}`, text),
  touch: (keys) => blobs.touch(keys.map((key) => `${prefix}${key}`)),
  async *list(start) {
    for await (const blob of blobs.list(`${prefix}${start}`)) yield { ...blob, key: blob.key.slice(prefix.length) }
  },
  remove: (keys) => blobs.remove(keys.map((key) => `${prefix}${key}`)),
})

/** Opens a storage in a folder; the server serves its files at signed addresses. */
export const openFolderStorage = async (
  folder: string,
  files: SignedFiles,
  { isShared = true }: FolderUse = {},
): Promise<Storage & { pathOf(key: string): string }> => {
  const incoming = join(folder, INCOMING)
  if (isShared) {
    await makeFolder(incoming, 0o700)
    // Removes files of killed processes; others may be using the folder.
    await removeAbandoned(incoming, '')
  }
  const refuse = (key: string) => new TypeError(`not a key: ${key}`)
  const blobs = folderBlobs(folder, { incoming, refuse, failed })
  return {
    ...blobs,
    description: `folder ${folder}`,
    async open(key) {
      // Opened before the reply, so that it stays readable if it is removed in the meantime.
      const handle = await open(blobs.pathOf(key), 'r').catch(async (thrown: unknown) => {
        if ((await blobs.size(key)) === undefined) return undefined
        throw failed('read', key, thrown)
      })
      return handle && createReadStream('', { fd: handle })
    },
    below: (prefix) => blobsBelow(blobs, prefix),
    address: async (key, options) => files.addressOf(key, options),
    async close() {
      if (!isShared) await rm(incoming, { recursive: true, force: true })
    },
  }
}
