import { type CommandRun, confirm } from '@vid/command'
import { withCloud } from '../shared/session.ts'
import type { cloudDeleteOptions } from './options.ts'

/** `vid cloud delete`: deletes a render, once that was confirmed. */
export const runCloudDelete = async (run: CommandRun<typeof cloudDeleteOptions, { readonly render_id: string }>) => {
  const { render_id } = run.arguments
  if (run.options.confirm !== false) await confirm(`deleting the render ${render_id}`, run)
  await withCloud(run, (client) => client.delete(render_id, { signal: run.signal }))
  return { render_id }
}
