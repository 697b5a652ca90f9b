import type { CommandRun } from '@vid/command'
import type { CloudRecord } from '@vid/kernel'
import { listAll } from '../../cloud/pages.ts'
import { recordLine, withoutAddresses } from '../shared/record-text.ts'
import { withCloud } from '../shared/session.ts'
import type { cloudListOptions } from './options.ts'

/** `vid cloud list`: reports each page of renders as it comes. */
export const runCloudList = async (run: CommandRun<typeof cloudListOptions>): Promise<void> => {
  const { signal, options, json, report } = run
  const { limit = 20, token, all } = options
  const show = (records: readonly CloudRecord[], next: string | null) => {
    const renders = records.map(withoutAddresses)
    report.event({ type: 'cloud-list', renders, has_more: next !== null, next_token: next })
    for (const record of records) report.result(recordLine(record))
  }
  await withCloud(run, async (client) => {
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
