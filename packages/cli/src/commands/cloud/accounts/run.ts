import type { AdminResult } from '@vid/cloud'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { readSecret } from '../../../secret-input.ts'
import { adminFlags } from '../admin/flags.ts'
import { runAdmin } from '../admin/run-admin.ts'
import { tableText, timeText } from '../admin/table.ts'
import { createFlags } from './flags.ts'

/** `vid cloud accounts create`: prints the id of the new account. */
export const runCreate = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const password = rawFlags.password === true ? await readSecret(context, 'password') : undefined
  await runAdmin(
    createFlags,
    rawFlags,
    context,
    async ({ admin, flags: { email, name, weight }, report }) => {
      const account = await admin.call('accounts.create', {
        ...(email !== undefined && { email }),
        ...(name !== undefined && { name }),
        ...(weight !== undefined && { weight }),
        ...(password !== undefined && { password }),
      })
      report.event({ type: 'cloud-account', account })
      report.result(account.id)
    },
    { mayCreate: true },
  )
}

type Accounts = AdminResult<'accounts.list'>

const accountsText = (accounts: Accounts): string =>
  tableText(
    ['id', 'email', 'name', 'weight', 'created', 'disabled'],
    accounts.map(({ id, email, name, weight, createdAt, disabledAt }) => [
      ...[id, email ?? '', name ?? '', String(weight)],
      ...[timeText(createdAt), timeText(disabledAt)],
    ]),
  )

/** `vid cloud accounts list`. */
export const runList = (rawFlags: RawFlags, context: CliContext): Promise<void> =>
  runAdmin(adminFlags, rawFlags, context, async ({ admin, report }) => {
    const accounts = await admin.call('accounts.list', {})
    report.event({ type: 'cloud-accounts', accounts })
    report.result(accountsText(accounts))
  })

/** `vid cloud accounts disable` and `enable`. */
export const runSwitch = (
  call: 'accounts.disable' | 'accounts.enable',
  named: string,
  rawFlags: RawFlags,
  context: CliContext,
): Promise<void> =>
  runAdmin(adminFlags, rawFlags, context, async ({ admin, report }) => {
    const account = await admin.call(call, { account: named })
    report.event({ type: 'cloud-account', account })
    report.result(`${account.id} is ${account.disabledAt === null ? 'enabled' : 'disabled'}`)
  })
