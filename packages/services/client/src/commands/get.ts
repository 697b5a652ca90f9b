import { defineCommand, outputOptions } from '@vid/command'

/** `vid cloud get <render_id>`. */
export const cloudGetCommand = defineCommand({
  path: 'cloud get',
  summary: 'Show a render of a hosted API in full.',
  details:
    'Prints the whole record, with a newly signed address of its video. Everybody with the address can fetch the video until the address expires.',
  arguments: [{ name: 'render_id' }],
  options: outputOptions,
  examples: [['Its progress', 'vid cloud get render_7Kq2']],
  event: 'cloud-render',
  async run(run) {
    const { withCloud } = await import('./shared/session.ts')
    return {
      render: await withCloud(run, (client) => client.get(run.arguments.render_id, { signal: run.signal })),
    }
  },
  text: async ({ render }) => (await import('./shared/record-text.ts')).recordText(render),
})
