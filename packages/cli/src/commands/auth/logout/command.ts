import { Command } from 'clipanion'
import { outputFlags } from '../../../cloud/flags.ts'
import { FlagCommand } from '../../../flags/flag-command.ts'

/** `vid auth logout`. */
export class AuthLogoutCommand extends FlagCommand {
  static override paths = [['auth', 'logout']]
  static override usage = Command.Usage({
    category: 'Cloud',
    description: 'Remove the stored credential, and end the sign-in at the API.',
  })

  constructor() {
    super(outputFlags)
  }

  async execute() {
    const { runAuthLogout } = await import('./run.ts')
    await runAuthLogout(this.rawFlags(), this.context)
  }
}
