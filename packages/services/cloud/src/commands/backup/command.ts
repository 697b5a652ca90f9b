import { defineCommand } from '@vid/command'
import { backupOptions } from './options.ts'

/** `vid cloud backup <to>`. */
export const cloudBackupCommand = defineCommand({
  path: 'cloud backup',
  summary: 'Back up a server of the hosted API: its database and the files that it needs.',
  details:
    'Works on the database of DATABASE_URL and on --storage, or on the state folder, also while the server runs. Writes to an empty folder or to an address of S3. A backup contains secrets of the server and of its accounts.',
  arguments: [{ name: 'to' }],
  options: backupOptions,
  examples: [
    ['To a folder', 'vid cloud backup /backups/monday'],
    [
      'Of a server on Postgres and S3',
      'DATABASE_URL=postgres://… vid cloud backup s3://backups/monday --storage s3://renders',
    ],
  ],
  run: async (run) => (await import('./run.ts')).runBackup(run),
  text: ({ place, files, bytes, missing }) => [
    `backed up to the ${place}: the database and ${files} files, ${bytes} bytes`,
    ...missing.map((key) => `missing in the storage of the server: ${key}`),
  ],
  exitCode: ({ missing }) => (missing.length === 0 ? 0 : 1),
})

/** `vid cloud restore <from>`. */
export const cloudRestoreCommand = defineCommand({
  path: 'cloud restore',
  summary: 'Restore a backup of a hosted API server to an empty place.',
  details:
    'Fills the empty database of DATABASE_URL and the empty --storage, or a new state folder; a backup of either kind can be restored to the other. No server may run there meanwhile.',
  arguments: [{ name: 'from' }],
  options: backupOptions,
  examples: [['To a new state folder', 'vid cloud restore /backups/monday --state restored']],
  run: async (run) => (await import('./run.ts')).runRestore(run),
  text: ({ createdAt, files }) => `restored the backup of ${createdAt}: the database and ${files} files`,
})
