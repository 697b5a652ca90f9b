import { join, resolve } from 'node:path'
import type { Database } from '../database/database.ts'
import { sharedSecret } from '../database/secrets.ts'
import { openFolderStorage } from './folder-storage.ts'
import { createSignedFiles, type SignedFiles } from './signed-files.ts'
import type { Storage } from './storage.ts'

/** A folder whose files the server itself serves. */
export interface OfferedFiles {
  readonly signed: SignedFiles
  pathOf(key: string): string
}

/** Locates the storage. */
export interface StoragePlace {
  /** A folder or an S3 address; a folder in the state folder if left out. */
  readonly storage?: string | undefined
  /** Absolute path of the state folder. */
  readonly state: string
  /** Absolute folder that relative paths start from. */
  readonly cwd: string
  /** Address at which clients reach the server. */
  readonly publicUrl: () => string
}

/** Opens the storage; `files` is undefined if the storage serves its files itself. */
export const openStorage = async (
  { storage: address, state, cwd, publicUrl }: StoragePlace,
  database: Database,
): Promise<{ readonly storage: Storage; readonly files: OfferedFiles | undefined }> => {
  if (address !== undefined && /^[a-z0-9+]+:\/\//i.test(address)) {
    const { openS3Storage } = await import('./s3-storage.ts')
    return { storage: await openS3Storage(address), files: undefined }
  }
  // All processes sign with the same secret.
  const signed = createSignedFiles(await sharedSecret(database, 'files_secret'), publicUrl)
  const folder = address === undefined ? join(state, 'files') : resolve(cwd, address)
  const storage = await openFolderStorage(folder, signed)
  return { storage, files: { signed, pathOf: (key) => storage.pathOf(key) } }
}
