import { resolve } from 'node:path'
import { type Static, Type } from '@vid/kernel'
import { openFolderStorage } from '../storage/folder-storage.ts'
import { openS3Storage } from '../storage/s3-storage.ts'
import { createSignedFiles } from '../storage/signed-files.ts'
import type { Storage } from '../storage/storage.ts'

/** Keys of a backup: its rows, the list of its files, and its manifest, which is written last. */
export const backupKeys = {
  rows: 'database/rows.jsonl',
  files: 'database/files.jsonl',
  manifest: 'backup.json',
  file: (key: string) => `files/${key}`,
} as const

/** Files that are copied at the same time. */
export const COPIED_AT_ONCE = 8

const Part = Type.Object({
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

/** What a backup says of itself. */
export const ManifestSchema = Type.Object({
  format: Type.Literal('vid-cloud-backup-1'),
  createdAt: Type.String(),
  /** Version of the tables. */
  schemaVersion: Type.Integer({ minimum: 1 }),
  rows: Part,
  files: Part,
})
export type Manifest = Static<typeof ManifestSchema>

/** A file in the list of a backup, by its key in the storage of the server. */
export const ListedFileSchema = Type.Object({ key: Type.String(), ...Part.properties })
export type ListedFile = Static<typeof ListedFileSchema>

/** Opens where a backup is or will be: a folder, or an address of S3. */
export const openBackupPlace = (address: string, cwd: string): Promise<Storage> =>
  address.startsWith('s3:')
    ? openS3Storage(address)
    : openFolderStorage(
        resolve(cwd, address),
        createSignedFiles('', () => ''),
        { isShared: false },
      )
