import { Command, Option } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { lambdaProgressFlags } from './flags.ts'

/** `vid lambda progress <render>`. */
export class LambdaProgressCommand extends FlagCommand {
  static override paths = [['lambda', 'progress']]
  static override usage = Command.Usage({
    category: 'Lambda',
    description: 'Show how far a render on AWS Lambda is, and what it has cost.',
    details:
      'Takes the id of the render or the ARN of its execution. With --wait it is followed to its end, as vid lambda render --wait does.',
    examples: [
      ['Once', 'vid lambda progress 7kq2f'],
      ['To its end, with the file', 'vid lambda progress 7kq2f --wait --output film.mp4'],
    ],
  })
  render = Option.String({ name: 'render' })

  constructor() {
    super(lambdaProgressFlags)
  }

  async execute() {
    const { runLambdaProgress } = await import('./run.ts')
    return runLambdaProgress(this.render, this.rawFlags(), this.context)
  }
}
