import { confirm } from '../../../cloud/confirm.ts'
import { withCloud } from '../../../cloud/session.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { createReport } from '../../../report.ts'

/** `vid cloud delete`: deletes a render, once that was confirmed. */
export const runCloudDelete = async (id: string, rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const report = createReport({ ...context, json: rawFlags.json === true, quiet: rawFlags.quiet === true })
  if (rawFlags.confirm !== false) await confirm(`deleting the render ${id}`, context)
  await withCloud(context, (client) => client.delete(id, { signal: context.signal }))
  report.event({ type: 'cloud-delete', render_id: id })
  report.result(id)
}
