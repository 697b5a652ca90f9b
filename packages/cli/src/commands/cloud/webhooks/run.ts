import type { AdminResult } from '@vid/cloud'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { tableText, timeText } from '../../../table-text.ts'
import { adminFlags } from '../admin/flags.ts'
import { runAdmin } from '../admin/run-admin.ts'
import { listFlags, secretFlags } from './flags.ts'

type Delivery = AdminResult<'webhooks.list'>[number]

const rowOf = (delivery: Delivery): readonly string[] => {
  const { id, renderId, status, attempts, nextAt, lastError, url, createdAt } = delivery
  return [id, renderId, status, String(attempts), timeText(createdAt), timeText(nextAt), lastError ?? '', url]
}

/** `vid cloud webhooks list`. */
export const runList = (rawFlags: RawFlags, context: CliContext): Promise<void> =>
  runAdmin(listFlags, rawFlags, context, async ({ admin, flags: { account, failed, limit }, report }) => {
    const deliveries = await admin.call('webhooks.list', {
      ...(account !== undefined && { account }),
      ...(failed !== undefined && { failed }),
      ...(limit !== undefined && { limit }),
    })
    report.event({ type: 'cloud-webhooks', deliveries })
    const names = ['id', 'render', 'status', 'attempts', 'created', 'next', 'last error', 'address']
    report.result(tableText(names, deliveries.map(rowOf)))
  })

/** `vid cloud webhooks retry`. */
export const runRetry = (delivery: string, rawFlags: RawFlags, context: CliContext): Promise<void> =>
  runAdmin(adminFlags, rawFlags, context, async ({ admin, report }) => {
    const waiting = await admin.call('webhooks.retry', { delivery })
    report.event({ type: 'cloud-webhooks', deliveries: [waiting] })
    report.result(`${waiting.id} is tried again`)
  })

/** `vid cloud webhooks secret`: prints what the webhooks of an account are signed with. */
export const runSecret = (account: string, rawFlags: RawFlags, context: CliContext): Promise<void> =>
  runAdmin(secretFlags, rawFlags, context, async ({ admin, flags: { rotate = false }, report }) => {
    const { secret } = await admin.call('webhooks.secret', { account, rotate })
    report.event({ type: 'cloud-webhook-secret', secret })
    report.result(secret)
  })
