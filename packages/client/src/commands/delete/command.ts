import { defineCommand } from '@vid/command'
import { cloudDeleteOptions } from './options.ts'

/** `vid cloud delete <render_id>`. */
export const cloudDeleteCommand = defineCommand({
  path: 'cloud delete',
  summary: 'Delete a render of a hosted API.',
  details: 'A render that runs is ended. The record is gone at once; the server removes the files after a time.',
  arguments: [{ name: 'render_id' }],
  options: cloudDeleteOptions,
  examples: [['Without being asked', 'vid cloud delete render_7Kq2 --no-confirm']],
  run: async (run) => (await import('./run.ts')).runCloudDelete(run),
  text: ({ render_id: id }) => id,
})
