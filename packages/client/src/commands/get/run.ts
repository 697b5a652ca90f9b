import type { CommandRun, outputOptions } from '@vid/command'
import { withCloud } from '../shared/session.ts'

/** `vid cloud get`: the record of a render. */
export const runCloudGet = async (run: CommandRun<typeof outputOptions, { readonly render_id: string }>) => ({
  render: await withCloud(run, (client) => client.get(run.arguments.render_id, { signal: run.signal })),
})
