import type { AdminResult } from '@vid/cloud'
import { defined } from '@vid/render'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { readSecret } from '../../../secret-input.ts'
import { tableText, timeText } from '../../../table-text.ts'
import { adminFlags } from '../admin/flags.ts'
import { runAdmin } from '../admin/run-admin.ts'
import { changeFlags, createFlags } from './flags.ts'

/** `vid cloud accounts create`: prints the new account, and its first key this once. */
export const runCreate = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const password = rawFlags.password === true ? await readSecret(context, 'password') : undefined
  await runAdmin(
    createFlags,
    rawFlags,
    context,
    async ({ admin, flags: { email, name, weight, 'no-key': withoutKey }, report }) => {
      const { account, key } = await admin.call('accounts.create', {
        ...(email !== undefined && { email }),
        ...(name !== undefined && { name }),
        ...(weight !== undefined && { weight }),
        ...(password !== undefined && { password }),
        ...(withoutKey !== undefined && { withoutKey }),
      })
      report.event({ type: 'cloud-account', account, ...(key !== null && { api_key: key }) })
      report.result(`account ${account.id}`)
      if (key !== null) report.result(`API key, shown this once: ${key}`)
    },
    { mayCreate: true },
  )
}

/** Seconds of a limit; null for none. */
const secondsOf = (value: unknown): number | null | undefined =>
  value === 'none' ? null : (value as number | undefined)

/** `vid cloud accounts change`: changes what the flags give. */
export const runChange = async (named: string, rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const password = rawFlags.password === true ? await readSecret(context, 'password') : undefined
  await runAdmin(changeFlags, rawFlags, context, async ({ admin, flags, report }) => {
    const change = {
      email: flags.email,
      name: flags.name,
      password,
      weight: flags.weight,
      maxOpenRenders: flags['max-open-renders'],
      requestsPerMinute: flags['max-requests'],
      maxUploadBytes: flags['max-upload'] as number | undefined,
      maxBilledSeconds: secondsOf(flags['max-billed-seconds']),
      maxRenderSeconds: secondsOf(flags['max-render-seconds']),
      maxFrameSeconds: secondsOf(flags['max-frame-seconds']),
    }
    const account = await admin.call('accounts.change', { account: named, ...defined(change) })
    report.event({ type: 'cloud-account', account })
    report.result(`${account.id} is changed`)
  })
}

type Accounts = AdminResult<'accounts.list'>

const accountsText = (accounts: Accounts): string =>
  tableText(
    ['id', 'email', 'name', 'weight', 'created', 'disabled'],
    accounts.map(({ id, email, name, weight, createdAt, disabledAt }) => [
      id,
      email ?? '',
      name ?? '',
      String(weight),
      timeText(createdAt),
      timeText(disabledAt),
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
