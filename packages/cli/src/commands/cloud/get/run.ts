import { recordText } from '../../../cloud/record-text.ts'
import { withCloud } from '../../../cloud/session.ts'
import { reportOf } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'

/** `vid cloud get`: prints the record of a render. */
export const runCloudGet = async (id: string, rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const report = reportOf(rawFlags, context)
  const render = await withCloud(context, (client) => client.get(id, { signal: context.signal }))
  report.event({ type: 'cloud-render', render })
  report.result(recordText(render))
}
