import { resolve } from 'node:path'
import { type Static, Type } from '@vid/protocol'
import { openFolderStorage } from '../storage/folder-storage.ts'
import { openS3Storage } from '../storage/s3-storage.ts'
import { createSignedFiles } from '../storage/signed-files.ts'
import type { Storage } from '../storage/storage.ts'

/** Keys of a backup: its rows, its file list, and its manifest, which is written last. */
export const backupKeys = {
  rows: 'database/rows.jsonl',
  files: 'database/files.jsonl',
  manifest: 'backup.json',
  file: (key: string) => `files/${key}`,
} as const

/** Files copied at the same time. */
export const COPIED_AT_ONCE = 8

const Part = Type.Object({
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

/** The manifest of a backup. */
export const ManifestSchema = Type.Object({
  format: Type.Literal('vid-cloud-backup-1'),
  createdAt: Type.String(),
  /** Version of the database schema. */
  schemaVersion: Type.Integer({ minimum: 1 }),
  rows: Part,
  files: Part,
})
export type BackupManifest = Static<typeof ManifestSchema>

/** An entry in the file list of a backup; the key is that in the storage of the server. */
export const ListedFileSchema = Type.Object({ key: Type.String(), ...Part.properties })
export type ListedFile = Static<typeof ListedFileSchema>

/** Opens the location of a backup: a folder or an S3 address. */
export const openBackupPlace = (address: string, cwd: string): Promise<Storage> =>
  address.startsWith('s3:')
    ? openS3Storage(address)
    : openFolderStorage(
        resolve(cwd, address),
        createSignedFiles('', () => ''),
        { isShared: false },
      )
