import { Command, Option } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { adminFlags } from '../admin/flags.ts'
import { listFlags, secretFlags } from './flags.ts'

const run = () => import('./run.ts')

/** `vid cloud webhooks list`. */
export class WebhooksListCommand extends FlagCommand {
  static override paths = [['cloud', 'webhooks', 'list']]
  static override usage = Command.Usage({
    description: 'List what receivers were told of the end of renders, the latest first.',
  })

  constructor() {
    super(listFlags)
  }

  async execute() {
    await (await run()).runList(this.rawFlags(), this.context)
  }
}

/** `vid cloud webhooks retry <delivery id>`. */
export class WebhooksRetryCommand extends FlagCommand {
  static override paths = [['cloud', 'webhooks', 'retry']]
  static override usage = Command.Usage({
    description: 'Have a delivery tried again from the beginning, by the id that the list shows.',
  })
  delivery = Option.String({ name: 'delivery id' })

  constructor() {
    super(adminFlags)
  }

  async execute() {
    await (await run()).runRetry(this.delivery, this.rawFlags(), this.context)
  }
}

/** `vid cloud webhooks secret <account>`. */
export class WebhooksSecretCommand extends FlagCommand {
  static override paths = [['cloud', 'webhooks', 'secret']]
  static override usage = Command.Usage({
    description: 'Print the secret that the webhooks of an account are signed with.',
  })
  account = Option.String({ name: 'account' })

  constructor() {
    super(secretFlags)
  }

  async execute() {
    await (await run()).runSecret(this.account, this.rawFlags(), this.context)
  }
}
