import { Command } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { lambdaDeployFlags } from './flags.ts'

/** `vid lambda deploy`. */
export class LambdaDeployCommand extends FlagCommand {
  static override paths = [['lambda', 'deploy']]
  static override usage = Command.Usage({
    category: 'Lambda',
    description: 'Set up rendering in your AWS account, or bring it up to date: once for each account and region.',
    details:
      'Builds the function from vid.config.ts, and has CloudFormation make bucket, function and state machine. Prints the outputs of the stack. Nothing runs, and costs next to nothing, until something is rendered.',
    examples: [
      ['In Frankfurt', 'vid lambda deploy --region eu-central-1'],
      ['With 200 calls at once reserved for it', 'vid lambda deploy --concurrency=200'],
    ],
  })

  constructor() {
    super(lambdaDeployFlags)
  }

  async execute() {
    const { runLambdaDeploy } = await import('./run.ts')
    await runLambdaDeploy(this.rawFlags(), this.context)
  }
}
