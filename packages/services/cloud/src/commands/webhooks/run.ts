import type { CommandRun } from '@vid/command'
import { defined } from '@vid/protocol'
import type { adminOptions } from '../admin/options.ts'
import { withAdmin } from '../admin/run-admin.ts'
import type { secretOptions, webhooksListOptions } from './options.ts'

/** `vid cloud webhooks list`. */
export const runWebhooksList = async (run: CommandRun<typeof webhooksListOptions>) => {
  const { account, failed, limit } = run.options
  const params = defined({ account, failed, limit })
  return { deliveries: await withAdmin(run, (admin) => admin.call('webhooks.list', params)) }
}

/** `vid cloud webhooks retry`. */
export const runWebhooksRetry = async (run: CommandRun<typeof adminOptions, { readonly 'delivery id': string }>) => {
  const { 'delivery id': delivery } = run.arguments
  return { deliveries: [await withAdmin(run, (admin) => admin.call('webhooks.retry', { delivery }))] as const }
}

/** `vid cloud webhooks secret`: returns the secret that signs the webhooks of an account. */
export const runWebhooksSecret = async (run: CommandRun<typeof secretOptions, { readonly account: string }>) => {
  const { account } = run.arguments
  const { rotate = false } = run.options
  const { secret } = await withAdmin(run, (admin) => admin.call('webhooks.secret', { account, rotate }))
  return { secret }
}
