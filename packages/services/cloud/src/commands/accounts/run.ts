import { type CommandRun, readSecret } from '@vid/command'
import { defined } from '@vid/protocol'
import type { adminOptions } from '../admin/options.ts'
import { withAdmin } from '../admin/run-admin.ts'
import type { accountsCreateOptions, changeOptions } from './options.ts'

interface NamedAccount {
  readonly account: string
}

/** `vid cloud accounts create`: returns the new account with its first key, which is shown only this once. */
export const runAccountsCreate = async (run: CommandRun<typeof accountsCreateOptions>) => {
  const { email, name, weight, 'no-key': withoutKey } = run.options
  const password = run.options.password ? await readSecret(run, 'password') : undefined
  const params = defined({ email, name, weight, password, withoutKey })
  const { account, key } = await withAdmin(run, (admin) => admin.call('accounts.create', params), { mayCreate: true })
  return { account, ...(key !== null && { api_key: key }) }
}

/** Parses a limit in seconds; null for no limit. */
const secondsOf = (value: unknown): number | null | undefined =>
  value === 'none' ? null : (value as number | undefined)

/** `vid cloud accounts change`: changes the settings that the options set. */
export const runAccountsChange = async (run: CommandRun<typeof changeOptions, NamedAccount>) => {
  const { options } = run
  const change = {
    email: options.email,
    name: options.name,
    password: options.password ? await readSecret(run, 'password') : undefined,
    weight: options.weight,
    maxOpenRenders: options['max-open-renders'],
    requestsPerMinute: options['max-requests'],
    maxUploadBytes: options['max-upload'] as number | undefined,
    maxBilledSeconds: secondsOf(options['max-billed-seconds']),
    maxRenderSeconds: secondsOf(options['max-render-seconds']),
    maxFrameSeconds: secondsOf(options['max-frame-seconds']),
    resultTtlSeconds: secondsOf(options['result-ttl']),
  }
  const { account } = run.arguments
  return { account: await withAdmin(run, (admin) => admin.call('accounts.change', { account, ...defined(change) })) }
}

/** `vid cloud accounts list`. */
export const runAccountsList = async (run: CommandRun<typeof adminOptions>) => ({
  accounts: await withAdmin(run, (admin) => admin.call('accounts.list', {})),
})

/** `vid cloud accounts disable` and `enable`. */
export const switchAccount = async (
  run: CommandRun<typeof adminOptions, NamedAccount>,
  call: 'accounts.disable' | 'accounts.enable',
) => ({ account: await withAdmin(run, (admin) => admin.call(call, { account: run.arguments.account })) })
