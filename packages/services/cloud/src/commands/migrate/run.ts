import { resolve } from 'node:path'
import type { CommandRun } from '@vid/command'
import { databaseFolder, hasDatabase, openEmbedded } from '../../database/embedded.ts'
import { type MigrationPlan, migrate, planMigration } from '../../database/migrate.ts'
import { openPostgres } from '../../database/postgres.ts'
import { fail } from '../../errors.ts'
import { adminOptions } from '../admin/options.ts'

/** What a migration did, or would do. */
export interface Migrated extends MigrationPlan {
  readonly dry_run: boolean
}

/** `vid cloud migrate`: migrates a database, or says what that would do. */
export const runMigrate = async (
  { cwd, env, written }: Pick<CommandRun, 'cwd' | 'env' | 'written'>,
  isDryRun: boolean,
): Promise<Migrated> => {
  const state = resolve(cwd, String(written.state ?? adminOptions.state.default))
  const folder = databaseFolder(state)
  if (!env.DATABASE_URL && !(await hasDatabase(folder))) throw fail('VID_CLOUD_STATE_MISSING', { folder: state })
  const database = await (env.DATABASE_URL ? openPostgres(env.DATABASE_URL) : openEmbedded(folder))
  try {
    const plan = await planMigration(database)
    if (!isDryRun) await migrate(database)
    return { ...plan, dry_run: isDryRun }
  } finally {
    await database.close()
  }
}

/** Formats what was done as lines. */
export const migrationText = ({ from, to, steps, dry_run: isDryRun }: Migrated): string => {
  if (steps.length === 0) return `The schema has version ${from}: nothing to do.`
  const lines = steps.map(
    ({ version, name, isBuiltInUse }) =>
      `${version}  ${name}${isBuiltInUse ? ', built while the tables are used' : ''}`,
  )
  const head = isDryRun ? `From version ${from} to ${to}, without a change so far:` : `From version ${from} to ${to}:`
  return [head, ...lines].join('\n')
}
