import { defineCommand } from '@vid/command'
import { cloudListOptions } from './options.ts'

/** `vid cloud list`. */
export const cloudListCommand = defineCommand({
  path: 'cloud list',
  summary: 'List the renders of your account, the latest first.',
  options: cloudListOptions,
  examples: [
    ['The latest', 'vid cloud list'],
    ['All, as JSON', 'vid cloud list --all --json'],
  ],
  run: async (run) => (await import('./run.ts')).runCloudList(run),
})
