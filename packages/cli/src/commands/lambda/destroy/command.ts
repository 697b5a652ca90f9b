import { Command } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { lambdaDestroyFlags } from './flags.ts'

/** `vid lambda destroy`. */
export class LambdaDestroyCommand extends FlagCommand {
  static override paths = [['lambda', 'destroy']]
  static override usage = Command.Usage({
    category: 'Lambda',
    description: 'Remove from your AWS account what vid lambda deploy has made.',
    details:
      'Renders that run are ended. A bucket that is not empty stays; --empty removes what is in it. What stays is printed.',
    examples: [
      ['The stack; a bucket with anything in it stays', 'vid lambda destroy'],
      ['All but the results', 'vid lambda destroy --empty work'],
      ['Everything, without being asked', 'vid lambda destroy --empty all --no-confirm'],
    ],
  })

  constructor() {
    super(lambdaDestroyFlags)
  }

  async execute() {
    const { runLambdaDestroy } = await import('./run.ts')
    await runLambdaDestroy(this.rawFlags(), this.context)
  }
}
