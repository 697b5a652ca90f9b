import { resolve } from 'node:path'
import type { Admin } from '@vid/cloud'
import type { FlagTable, FlagValues } from '../../../flags/flag.ts'
import { checkFlags, type RawFlags, throwErrors } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { createReport, type Report } from '../../../report.ts'
import { adminFlags } from './flags.ts'

/** What a command for operators works with. */
export interface AdminRun<T extends FlagTable> {
  readonly admin: Admin
  readonly flags: FlagValues<T>
  readonly report: Report
}

/** Runs a command for operators on the database that the environment or the flags name. */
export const runAdmin = async <const T extends FlagTable>(
  table: T,
  rawFlags: RawFlags,
  context: CliContext,
  work: (run: AdminRun<T>) => Promise<void>,
  { mayCreate = false }: { readonly mayCreate?: boolean } = {},
): Promise<void> => {
  const { values: flags, errors } = checkFlags(table, rawFlags)
  throwErrors(errors)
  const report = createReport({ ...context, json: rawFlags.json === true, quiet: false })
  const state = resolve(context.cwd, String(rawFlags.state ?? adminFlags.state.default))
  const storageFlag = typeof rawFlags.storage === 'string' ? rawFlags.storage : undefined
  const { openAdmin } = await import('@vid/cloud')
  const admin = await openAdmin({
    databaseUrl: context.env.DATABASE_URL,
    cwd: context.cwd,
    state,
    mayCreate,
    storage: storageFlag,
  })
  try {
    await work({ admin, flags, report })
  } finally {
    await admin.close()
  }
}
