import { defineCommand, type OptionTable } from '@vid/command'
import { adminOptions } from '../admin/options.ts'

const migrateOptions = {
  'dry-run': { kind: 'switch', about: 'print what would be done, and change nothing' },
  ...adminOptions,
} as const satisfies OptionTable

/** `vid cloud migrate`. */
export const cloudMigrateCommand = defineCommand({
  path: 'cloud migrate',
  summary: 'Upgrade the tables of a hosted API server to this version of vid.',
  details:
    'Works on the database of DATABASE_URL, while processes of this version and the one before run, or on the folder of --state while no server uses it. "vid cloud serve" does the same when it starts.',
  options: migrateOptions,
  examples: [['What would be done', 'vid cloud migrate --dry-run']],
  async run(run) {
    const { runMigrate } = await import('./run.ts')
    return runMigrate(run, run.options['dry-run'] === true)
  },
  text: async (result) => (await import('./run.ts')).migrationText(result),
})
