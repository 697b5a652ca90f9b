import { Command, Option } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { adminFlags } from '../admin/flags.ts'
import { changeFlags, createFlags } from './flags.ts'

const run = () => import('./run.ts')

/** `vid cloud accounts create`. */
export class AccountsCreateCommand extends FlagCommand {
  static override paths = [['cloud', 'accounts', 'create']]
  static override usage = Command.Usage({
    description: 'Make an account on your server, and print it with its first API key.',
    details:
      'Works on the database of DATABASE_URL, or on the state folder; a server that runs there does it itself. The key is shown only now; vid cloud keys create makes others. With an e-mail address and a password, somebody can also sign in by vid auth login.',
    examples: [['An account with a password', 'vid cloud accounts create --email mia@example.com --password']],
  })

  constructor() {
    super(createFlags)
  }

  async execute() {
    await (await run()).runCreate(this.rawFlags(), this.context)
  }
}

/** `vid cloud accounts list`. */
export class AccountsListCommand extends FlagCommand {
  static override paths = [['cloud', 'accounts', 'list']]
  static override usage = Command.Usage({ description: 'List the accounts of your server.' })

  constructor() {
    super(adminFlags)
  }

  async execute() {
    await (await run()).runList(this.rawFlags(), this.context)
  }
}

/** `vid cloud accounts change <account>`. */
export class AccountsChangeCommand extends FlagCommand {
  static override paths = [['cloud', 'accounts', 'change']]
  static override usage = Command.Usage({
    description: 'Change what the flags name of an account: its limits, its share, or how it signs in.',
    details: 'Another password ends all sign-ins of the account; its API keys stay.',
    examples: [
      ['A tenth of the requests', 'vid cloud accounts change mia@example.com --max-requests 600'],
      ['Another password', 'vid cloud accounts change mia@example.com --password'],
    ],
  })
  account = Option.String({ name: 'account' })

  constructor() {
    super(changeFlags)
  }

  async execute() {
    await (await run()).runChange(this.account, this.rawFlags(), this.context)
  }
}

/** `vid cloud accounts disable <account>`. */
export class AccountsDisableCommand extends FlagCommand {
  static override paths = [['cloud', 'accounts', 'disable']]
  static override usage = Command.Usage({
    description: 'Let an account in no longer, by an id or e-mail address; what it has stays.',
  })
  account = Option.String({ name: 'account' })

  constructor() {
    super(adminFlags)
  }

  async execute() {
    await (await run()).runSwitch('accounts.disable', this.account, this.rawFlags(), this.context)
  }
}

/** `vid cloud accounts enable <account>`. */
export class AccountsEnableCommand extends FlagCommand {
  static override paths = [['cloud', 'accounts', 'enable']]
  static override usage = Command.Usage({ description: 'Let an account in again that was disabled.' })
  account = Option.String({ name: 'account' })

  constructor() {
    super(adminFlags)
  }

  async execute() {
    await (await run()).runSwitch('accounts.enable', this.account, this.rawFlags(), this.context)
  }
}
