import {
  AccountsChangeCommand,
  AccountsCreateCommand,
  AccountsDisableCommand,
  AccountsEnableCommand,
  AccountsListCommand,
} from '../accounts/command.ts'
import { KeysCreateCommand, KeysListCommand, KeysRevokeCommand } from '../keys/command.ts'
import { WebhooksListCommand, WebhooksRetryCommand, WebhooksSecretCommand } from '../webhooks/command.ts'

/** The commands of `vid cloud` for operators of a server. */
export const adminCommands = [
  AccountsCreateCommand,
  AccountsListCommand,
  AccountsChangeCommand,
  AccountsDisableCommand,
  AccountsEnableCommand,
  KeysCreateCommand,
  KeysListCommand,
  KeysRevokeCommand,
  WebhooksListCommand,
  WebhooksRetryCommand,
  WebhooksSecretCommand,
]
