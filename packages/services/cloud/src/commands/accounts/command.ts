import { defineCommand } from '@vid/command'
import { adminOptions } from '../admin/options.ts'
import { accountsCreateOptions, changeOptions } from './options.ts'

/** `vid cloud accounts create`. */
const accountsCreateCommand = defineCommand({
  path: 'cloud accounts create',
  summary: 'Create an account on your server, and print it with its first API key.',
  details:
    'Works on the database of DATABASE_URL, or on the state folder; a running server creates it itself. The key is shown only once; vid cloud keys create creates others. With an e-mail address and a password, a person can also sign in by vid auth login.',
  options: accountsCreateOptions,
  examples: [['An account with a password', 'vid cloud accounts create --email mia@example.com --password']],
  event: 'cloud-account',
  run: async (run) => (await import('./run.ts')).runAccountsCreate(run),
  text: ({ account, api_key: key }) => [
    `account ${account.id}`,
    ...(key === undefined ? [] : [`API key, shown this once: ${key}`]),
  ],
})

/** `vid cloud accounts list`. */
const accountsListCommand = defineCommand({
  path: 'cloud accounts list',
  summary: 'List the accounts of your server.',
  options: adminOptions,
  event: 'cloud-accounts',
  run: async (run) => (await import('./run.ts')).runAccountsList(run),
  text: async (result) => (await import('./accounts-text.ts')).accountsText(result),
})

/** `vid cloud accounts change <account>`. */
const accountsChangeCommand = defineCommand({
  path: 'cloud accounts change',
  summary: 'Change an account: its limits, its share, or its sign-in.',
  details: 'A new password ends all sign-ins of the account; its API keys stay.',
  arguments: [{ name: 'account' }],
  options: changeOptions,
  examples: [
    ['A tenth of the requests', 'vid cloud accounts change mia@example.com --max-requests 600'],
    ['Another password', 'vid cloud accounts change mia@example.com --password'],
  ],
  event: 'cloud-account',
  run: async (run) => (await import('./run.ts')).runAccountsChange(run),
  text: ({ account }) => `${account.id} is changed`,
})

/** `vid cloud accounts disable <account>`. */
const accountsDisableCommand = defineCommand({
  path: 'cloud accounts disable',
  summary: 'Block an account, by its id or e-mail address; its data stays.',
  arguments: [{ name: 'account' }],
  options: adminOptions,
  event: 'cloud-account',
  run: async (run) => (await import('./run.ts')).switchAccount(run, 'accounts.disable'),
  text: ({ account }) => `${account.id} is disabled`,
})

/** `vid cloud accounts enable <account>`. */
const accountsEnableCommand = defineCommand({
  path: 'cloud accounts enable',
  summary: 'Unblock a disabled account.',
  arguments: [{ name: 'account' }],
  options: adminOptions,
  event: 'cloud-account',
  run: async (run) => (await import('./run.ts')).switchAccount(run, 'accounts.enable'),
  text: ({ account }) => `${account.id} is enabled`,
})

/** The commands about accounts. */
export const accountCommands = [
  accountsCreateCommand,
  accountsListCommand,
  accountsChangeCommand,
  accountsDisableCommand,
  accountsEnableCommand,
]
