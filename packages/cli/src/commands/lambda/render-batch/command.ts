import { Command, Option } from 'clipanion'
import type { FormatFacts } from '../../../flags/flag.ts'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { lambdaRenderBatchFlags } from './flags.ts'

/** `vid lambda render-batch [dir]`. */
export class LambdaRenderBatchCommand extends FlagCommand {
  static override paths = [['lambda', 'render-batch']]
  static override usage = Command.Usage({
    category: 'Lambda',
    description: 'Start one render on AWS Lambda for each line of a file.',
    details:
      'Checks every line, uploads the folder (default: the current one) once unless it is there already, and starts the renders without waiting for them. Segments that several of them share are rendered once. Values of variables stand in the lines: there is no --variables-file.',
    examples: [
      ['One video for each line', 'vid lambda render-batch intro --batch people.jsonl'],
      ['Only check', 'vid lambda render-batch intro --batch people.jsonl --dry-run'],
    ],
  })
  dir = Option.String({ name: 'dir', required: false })

  constructor(facts?: FormatFacts) {
    super(lambdaRenderBatchFlags, facts)
  }

  async execute() {
    const { runLambdaRenderBatch } = await import('./run.ts')
    return runLambdaRenderBatch(this.dir, this.rawFlags(), this.context)
  }
}
