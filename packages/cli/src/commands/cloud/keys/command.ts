import { Command, Option } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { adminFlags } from '../admin/flags.ts'
import { createFlags, listFlags } from './flags.ts'

const run = () => import('./run.ts')

/** `vid cloud keys create <account>`. */
export class KeysCreateCommand extends FlagCommand {
  static override paths = [['cloud', 'keys', 'create']]
  static override usage = Command.Usage({
    description: 'Make an API key of an account, and print it this once.',
    details:
      'The account is named by its id or e-mail address. Clients send the key in the header x-api-key; vid reads it from HOST_API_KEY or VID_API_KEY, or keeps it after vid auth login --api-key.',
    examples: [['A key for a build server', 'vid cloud keys create mia@example.com --name ci']],
  })
  account = Option.String({ name: 'account' })

  constructor() {
    super(createFlags)
  }

  async execute() {
    await (await run()).runCreate(this.account, this.rawFlags(), this.context)
  }
}

/** `vid cloud keys list`. */
export class KeysListCommand extends FlagCommand {
  static override paths = [['cloud', 'keys', 'list']]
  static override usage = Command.Usage({ description: 'List API keys, without the keys themselves.' })

  constructor() {
    super(listFlags)
  }

  async execute() {
    await (await run()).runList(this.rawFlags(), this.context)
  }
}

/** `vid cloud keys revoke <key id>`. */
export class KeysRevokeCommand extends FlagCommand {
  static override paths = [['cloud', 'keys', 'revoke']]
  static override usage = Command.Usage({ description: 'End an API key, by the id that the list shows.' })
  key = Option.String({ name: 'key id' })

  constructor() {
    super(adminFlags)
  }

  async execute() {
    await (await run()).runRevoke(this.key, this.rawFlags(), this.context)
  }
}
