import { Command } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { cloudListFlags } from './flags.ts'

/** `vid cloud list`. */
export class CloudListCommand extends FlagCommand {
  static override paths = [['cloud', 'list']]
  static override usage = Command.Usage({
    category: 'Cloud',
    description: 'List the renders of your account, the latest first.',
    examples: [
      ['The latest', 'vid cloud list'],
      ['All, as JSON', 'vid cloud list --all --json'],
    ],
  })

  constructor() {
    super(cloudListFlags)
  }

  async execute() {
    const { runCloudList } = await import('./run.ts')
    await runCloudList(this.rawFlags(), this.context)
  }
}
