import { resolve } from 'node:path'
import { checkFlags, type RawFlags, throwErrors } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { createReport } from '../../../report.ts'
import { runAdmin } from '../admin/run-admin.ts'
import { placeFlags } from '../serve/flags.ts'
import { backupFlags } from './flags.ts'

/** An address of S3 as it is; a folder made absolute, since the server may run in another one. */
const absolute = (place: string, cwd: string): string => (place.startsWith('s3:') ? place : resolve(cwd, place))

/** `vid cloud backup`: resolves to the exit code, 1 where files are missing. */
export const runBackup = async (to: string, rawFlags: RawFlags, context: CliContext): Promise<number> => {
  let isWhole = true
  await runAdmin(backupFlags, rawFlags, context, async ({ admin, report }) => {
    const made = await admin.call('backup', { to: absolute(to, context.cwd) }, context.signal)
    const { place, files, bytes, missing } = made
    isWhole = missing.length === 0
    report.event({ type: 'cloud-backup', ...made })
    report.result(`backed up to the ${place}: the database and ${files} files, ${bytes} bytes`)
    for (const key of missing) report.result(`missing in the storage of the server: ${key}`)
  })
  return isWhole ? 0 : 1
}

/** `vid cloud restore`. */
export const runRestore = async (from: string, rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { cwd, env, signal } = context
  const { values: flags, errors } = checkFlags(backupFlags, rawFlags)
  throwErrors(errors)
  const report = createReport({ ...context, json: flags.json === true, quiet: false })
  const { restoreBackup } = await import('@vid/cloud')
  const restored = await restoreBackup(absolute(from, cwd), {
    databaseUrl: env.DATABASE_URL || undefined,
    state: flags.state ?? placeFlags.state.default,
    storage: flags.storage,
    cwd,
    signal,
  })
  report.event({ type: 'cloud-restore', ...restored })
  report.result(`restored the backup of ${restored.createdAt}: the database and ${restored.files} files`)
}
