import { resolve } from 'node:path'
import type { CommandRun } from '@vid/command'
import { withAdmin } from '../admin/run-admin.ts'
import { serverPlaceOptions } from '../serve/options.ts'
import type { backupOptions } from './options.ts'

/** Makes a folder absolute, because the server may run in another one; leaves an S3 address unchanged. */
const absolute = (place: string, cwd: string): string => (place.startsWith('s3:') ? place : resolve(cwd, place))

/** `vid cloud backup`. */
export const runBackup = (run: CommandRun<typeof backupOptions, { readonly to: string }>) => {
  const to = absolute(run.arguments.to, run.cwd)
  return withAdmin(run, (admin) => admin.call('backup', { to }, run.signal))
}

/** `vid cloud restore`. */
export const runRestore = async (run: CommandRun<typeof backupOptions, { readonly from: string }>) => {
  const { cwd, env, signal, options } = run
  const { restoreBackup } = await import('../../backup/restore-backup.ts')
  return restoreBackup(absolute(run.arguments.from, cwd), {
    databaseUrl: env.DATABASE_URL || undefined,
    state: options.state ?? serverPlaceOptions.state.default,
    storage: options.storage,
    cwd,
    signal,
  })
}
