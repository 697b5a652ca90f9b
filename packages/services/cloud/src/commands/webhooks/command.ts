import { defineCommand } from '@vid/command'
import { adminOptions } from '../admin/options.ts'
import { secretOptions, webhooksListOptions } from './options.ts'

/** `vid cloud webhooks list`. */
const webhooksListCommand = defineCommand({
  path: 'cloud webhooks list',
  summary: 'List the webhook deliveries, the latest first.',
  options: webhooksListOptions,
  event: 'cloud-webhooks',
  run: async (run) => (await import('./run.ts')).runWebhooksList(run),
  text: async (result) => (await import('./deliveries-text.ts')).deliveriesText(result),
})

/** `vid cloud webhooks retry <delivery id>`. */
const webhooksRetryCommand = defineCommand({
  path: 'cloud webhooks retry',
  summary: 'Retry a delivery, by the id that the list shows.',
  arguments: [{ name: 'delivery id' }],
  options: adminOptions,
  event: 'cloud-webhooks',
  run: async (run) => (await import('./run.ts')).runWebhooksRetry(run),
  text: ({ deliveries: [delivery] }) => `${delivery.id} is tried again`,
})

/** `vid cloud webhooks secret <account>`. */
const webhooksSecretCommand = defineCommand({
  path: 'cloud webhooks secret',
  summary: 'Print the secret that the webhooks of an account are signed with.',
  arguments: [{ name: 'account' }],
  options: secretOptions,
  event: 'cloud-webhook-secret',
  run: async (run) => (await import('./run.ts')).runWebhooksSecret(run),
  text: ({ secret }) => secret,
})

/** The commands about webhooks. */
export const webhookCommands = [webhooksListCommand, webhooksRetryCommand, webhooksSecretCommand]
