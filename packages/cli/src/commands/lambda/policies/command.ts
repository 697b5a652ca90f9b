import { Command, Option } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { lambdaPoliciesFlags } from './flags.ts'

/** `vid lambda policies [who]`. */
export class LambdaPoliciesCommand extends FlagCommand {
  static override paths = [['lambda', 'policies']]
  static override usage = Command.Usage({
    category: 'Lambda',
    description: 'Print the least policies of IAM that rendering on AWS needs.',
    details:
      'Without a name, all of them in one JSON object; with one of its names, that policy document alone, as IAM takes it. Asks nothing of AWS.',
    examples: [
      ['All', 'vid lambda policies'],
      ['That of who renders', 'vid lambda policies render > render.json'],
    ],
  })
  who = Option.String({ name: 'who', required: false })

  constructor() {
    super(lambdaPoliciesFlags)
  }

  async execute() {
    const { runLambdaPolicies } = await import('./run.ts')
    await runLambdaPolicies(this.who, this.rawFlags(), this.context)
  }
}
