import { listAll } from '@vid/client'
import type { CloudRecord } from '@vid/kernel'
import { recordLine, withoutAddresses } from '../../../cloud/record-text.ts'
import { withCloud } from '../../../cloud/session.ts'
import { startCommand } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { cloudListFlags } from './flags.ts'

/** `vid cloud list`: prints a line for each render, page by page. */
export const runCloudList = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { signal } = context
  const { flags, json, report } = startCommand(cloudListFlags, rawFlags, context)
  const { limit = 20, token, all } = flags
  const show = (records: readonly CloudRecord[], next: string | null) => {
    const renders = records.map(withoutAddresses)
    report.event({ type: 'cloud-list', renders, has_more: next !== null, next_token: next })
    for (const record of records) report.result(recordLine(record))
  }
  await withCloud(context, async (client) => {
    let count = 0
    if (all) {
      for await (const { data, has_more, next_token } of listAll(client, { limit, token }, { signal })) {
        show(data, has_more ? next_token : null)
        count += data.length
      }
    } else {
      const { data, has_more, next_token } = await client.list({ limit, token }, { signal })
      show(data, has_more ? next_token : null)
      count = data.length
      if (!json && has_more && next_token !== null) report.note(`more: vid cloud list --token ${next_token}`)
    }
    if (!json && count === 0) report.note('no renders')
  })
}
