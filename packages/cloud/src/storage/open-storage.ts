import { join, resolve } from 'node:path'
import type { Database } from '../database/database.ts'
import { sharedSecret } from '../database/secrets.ts'
import { openFolderStorage } from './folder-storage.ts'
import { createSignedFiles, type SignedFiles } from './signed-files.ts'
import type { Storage } from './storage.ts'

/** A folder whose files the server itself offers. */
export interface OfferedFiles {
  readonly signed: SignedFiles
  pathOf(key: string): string
}

/** Where the storage is. */
export interface StoragePlace {
  /** A folder, or an address of S3; a folder of the state if left out. */
  readonly storage?: string | undefined
  /** Absolute. */
  readonly state: string
  /** Absolute folder at which relative paths start. */
  readonly cwd: string
  /** Address at which clients reach the server. */
  readonly publicUrl: () => string
}

/** Opens the storage; `files` is undefined where it offers its files itself. */
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
