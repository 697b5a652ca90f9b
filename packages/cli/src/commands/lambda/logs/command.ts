import { Command, Option } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { lambdaLogsFlags } from './flags.ts'

/** `vid lambda logs <render>`. */
export class LambdaLogsCommand extends FlagCommand {
  static override paths = [['lambda', 'logs']]
  static override usage = Command.Usage({
    category: 'Lambda',
    description: 'Print what the calls of a render have logged, by its id or the ARN of its execution.',
    examples: [['As JSON', 'vid lambda logs 7kq2f --json']],
  })
  render = Option.String({ name: 'render' })

  constructor() {
    super(lambdaLogsFlags)
  }

  async execute() {
    const { runLambdaLogs } = await import('./run.ts')
    await runLambdaLogs(this.render, this.rawFlags(), this.context)
  }
}
