import { defineCommand } from '@vid/command'
import { cloudDeleteOptions } from './options.ts'

/** `vid cloud delete <render_id>`. */
export const cloudDeleteCommand = defineCommand({
  path: 'cloud delete',
  summary: 'Delete a render of a hosted API.',
  details: 'A running render is ended. The record disappears at once; the server removes the files later.',
  arguments: [{ name: 'render_id' }],
  options: cloudDeleteOptions,
  examples: [['Without confirmation', 'vid cloud delete render_7Kq2 --no-confirm']],
  run: async (run) => (await import('./run.ts')).runCloudDelete(run),
  text: ({ render_id: id }) => id,
})
