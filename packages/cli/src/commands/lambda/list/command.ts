import { Command } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { lambdaListFlags } from './flags.ts'

/** `vid lambda list`. */
export class LambdaListCommand extends FlagCommand {
  static override paths = [['lambda', 'list']]
  static override usage = Command.Usage({
    category: 'Lambda',
    description: 'List the renders of the last 90 days on AWS Lambda, the latest first.',
    examples: [
      ['The latest', 'vid lambda list'],
      ['Those that failed, as JSON', 'vid lambda list --status failed --all --json'],
    ],
  })

  constructor() {
    super(lambdaListFlags)
  }

  async execute() {
    const { runLambdaList } = await import('./run.ts')
    await runLambdaList(this.rawFlags(), this.context)
  }
}
