import { confirm } from '../../../cloud/confirm.ts'
import { withCloud } from '../../../cloud/session.ts'
import { reportOf } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'

/** `vid cloud delete`: deletes a render, once that was confirmed. */
export const runCloudDelete = async (id: string, rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const report = reportOf(rawFlags, context)
  if (rawFlags.confirm !== false) await confirm(`deleting the render ${id}`, context)
  await withCloud(context, (client) => client.delete(id, { signal: context.signal }))
  report.event({ type: 'cloud-delete', render_id: id })
  report.result(id)
}
