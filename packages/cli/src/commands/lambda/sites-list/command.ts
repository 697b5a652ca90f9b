import { Command } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { lambdaSitesListFlags } from './flags.ts'

/** `vid lambda sites list`. */
export class LambdaSitesListCommand extends FlagCommand {
  static override paths = [['lambda', 'sites', 'list']]
  static override usage = Command.Usage({
    category: 'Lambda',
    description: 'List the projects that were uploaded.',
    examples: [['All, as JSON', 'vid lambda sites list --json']],
  })

  constructor() {
    super(lambdaSitesListFlags)
  }

  async execute() {
    const { runLambdaSitesList } = await import('./run.ts')
    await runLambdaSitesList(this.rawFlags(), this.context)
  }
}
