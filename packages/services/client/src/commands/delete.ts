import { confirm, defineCommand, type OptionTable, outputOptions } from '@vid/command'

const cloudDeleteOptions = {
  confirm: { kind: 'switch', about: 'ask first, --no-confirm to delete at once', default: 'on' },
  ...outputOptions,
} as const satisfies OptionTable

/** `vid cloud delete <render_id>`. */
export const cloudDeleteCommand = defineCommand({
  path: 'cloud delete',
  summary: 'Delete a render of a hosted API.',
  details: 'A running render is stopped. The record disappears at once; the server removes the files later.',
  arguments: [{ name: 'render_id' }],
  options: cloudDeleteOptions,
  examples: [['Without confirmation', 'vid cloud delete render_7Kq2 --no-confirm']],
  async run(run) {
    const { withCloud } = await import('./shared/session.ts')
    const { render_id } = run.arguments
    if (run.options.confirm !== false) await confirm(`deleting the render ${render_id}`, run)
    await withCloud(run, (client) => client.delete(render_id, { signal: run.signal }))
    return { render_id }
  },
  text: ({ render_id: id }) => id,
})
