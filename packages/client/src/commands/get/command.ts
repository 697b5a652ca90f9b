import { defineCommand, outputOptions } from '@vid/command'

/** `vid cloud get <render_id>`. */
export const cloudGetCommand = defineCommand({
  path: 'cloud get',
  summary: 'Show a render of a hosted API in full.',
  details:
    'Prints everything that is known of it, with a freshly signed address of its video, which expires: everybody with the address can fetch the video until then.',
  arguments: [{ name: 'render_id' }],
  options: outputOptions,
  examples: [['How far it is', 'vid cloud get render_7Kq2']],
  event: 'cloud-render',
  run: async (run) => (await import('./run.ts')).runCloudGet(run),
  text: async ({ render }) => (await import('../shared/record-text.ts')).recordText(render),
})
