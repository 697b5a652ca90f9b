import { Command } from 'clipanion'
import { outputFlags } from '../../../cloud/flags.ts'
import { FlagCommand } from '../../../flags/flag-command.ts'

/** `vid auth status`. */
export class AuthStatusCommand extends FlagCommand {
  static override paths = [['auth', 'status']]
  static override usage = Command.Usage({
    category: 'Cloud',
    description: 'Show which credential is in use, whose it is, and what was rendered this month.',
  })

  constructor() {
    super(outputFlags)
  }

  async execute() {
    const { runAuthStatus } = await import('./run.ts')
    await runAuthStatus(this.rawFlags(), this.context)
  }
}
