import { Command, Option } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { lambdaStopFlags } from './flags.ts'

/** `vid lambda stop <render>`. */
export class LambdaStopCommand extends FlagCommand {
  static override paths = [['lambda', 'stop']]
  static override usage = Command.Usage({
    category: 'Lambda',
    description: 'End a render on AWS Lambda, by its id or the ARN of its execution.',
    details: 'No further calls begin; those that run end by themselves, within 15 minutes at most.',
    examples: [['A render', 'vid lambda stop 7kq2f']],
  })
  render = Option.String({ name: 'render' })

  constructor() {
    super(lambdaStopFlags)
  }

  async execute() {
    const { runLambdaStop } = await import('./run.ts')
    await runLambdaStop(this.render, this.rawFlags(), this.context)
  }
}
