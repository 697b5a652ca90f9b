import { defineCommand } from '@vid/command'
import { adminOptions } from '../admin/options.ts'
import { keysCreateOptions, keysListOptions } from './options.ts'

/** `vid cloud keys create <account>`. */
const keysCreateCommand = defineCommand({
  path: 'cloud keys create',
  summary: 'Create an API key of an account, and print it once.',
  details:
    'The account is named by its id or e-mail address. Clients send the key in the header x-api-key; vid reads it from HOST_API_KEY or VID_API_KEY, or keeps it after vid auth login --api-key.',
  arguments: [{ name: 'account' }],
  options: keysCreateOptions,
  examples: [['A key for a build server', 'vid cloud keys create mia@example.com --name ci']],
  event: 'cloud-key',
  run: async (run) => (await import('./run.ts')).runKeysCreate(run),
  text: ({ key, secret }) => ({ before: `created ${key.id}; the key is shown only once`, lines: secret }),
})

/** `vid cloud keys list`. */
const keysListCommand = defineCommand({
  path: 'cloud keys list',
  summary: 'List API keys, without the keys themselves.',
  options: keysListOptions,
  event: 'cloud-keys',
  run: async (run) => (await import('./run.ts')).runKeysList(run),
  text: async (result) => (await import('./keys-text.ts')).keysText(result),
})

/** `vid cloud keys revoke <key id>`. */
const keysRevokeCommand = defineCommand({
  path: 'cloud keys revoke',
  summary: 'Revoke an API key, by the id that the list shows.',
  arguments: [{ name: 'key id' }],
  options: adminOptions,
  event: 'cloud-key',
  run: async (run) => (await import('./run.ts')).runKeysRevoke(run),
  text: ({ key }) => `${key.id} is revoked; servers refuse it within five seconds`,
})

/** The commands about API keys. */
export const keyCommands = [keysCreateCommand, keysListCommand, keysRevokeCommand]
