import { Command } from 'clipanion'
import { outputFlags } from '../../../cloud/flags.ts'
import { FlagCommand } from '../../../flags/flag-command.ts'

/** `vid auth refresh`. */
export class AuthRefreshCommand extends FlagCommand {
  static override paths = [['auth', 'refresh']]
  static override usage = Command.Usage({
    category: 'Cloud',
    description: 'Exchange the token of the sign-in for a new one, whether it has expired or not.',
  })

  constructor() {
    super(outputFlags)
  }

  async execute() {
    const { runAuthRefresh } = await import('./run.ts')
    await runAuthRefresh(this.rawFlags(), this.context)
  }
}
