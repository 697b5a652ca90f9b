import { defineCommand, type OptionTable, outputOptions } from '@vid/command'
import type { CloudRecord } from '../contract/index.ts'

const cloudListOptions = {
  limit: { kind: 'integer', min: 1, max: 100, about: 'renders per page', default: '20' },
  token: {
    kind: 'text',
    rule: 'the token that an earlier page printed',
    pattern: /^\S{1,2000}$/,
    about: 'the page to show',
    default: 'the latest',
  },
  all: { kind: 'switch', about: 'every page' },
  ...outputOptions,
} as const satisfies OptionTable

/** `vid cloud list`. */
export const cloudListCommand = defineCommand({
  path: 'cloud list',
  summary: 'List the renders of your account, the latest first.',
  options: cloudListOptions,
  examples: [
    ['The latest', 'vid cloud list'],
    ['All, as JSON', 'vid cloud list --all --json'],
  ],
  async run(run) {
    const [{ listAll }, { recordLine, withoutAddresses }, { withCloud }] = await Promise.all([
      import('../cloud/pages.ts'),
      import('./shared/record-text.ts'),
      import('./shared/session.ts'),
    ])
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
  },
})
