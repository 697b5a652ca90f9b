import { Command, Option } from 'clipanion'
import type { FormatFacts } from '../../../flags/flag.ts'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { lambdaRenderCommandFlags } from './flags.ts'

/** `vid lambda render [dir]`. */
export class LambdaRenderCommand extends FlagCommand {
  static override paths = [['lambda', 'render']]
  static override usage = Command.Usage({
    category: 'Lambda',
    description: 'Render a composition on AWS Lambda.',
    details:
      'Uploads a folder (default: the current one) unless it is there already, starts the render and prints its handle. With --wait it is followed to its end, and the address of the result is printed. Ctrl-C leaves the render alone.',
    examples: [
      ['The folder "intro", to a file here', 'vid lambda render intro --wait --output intro.mp4'],
      ['Without waiting', 'vid lambda render intro --output-key films/intro.mp4'],
      ['What it may cost', 'vid lambda render intro --estimate'],
    ],
  })
  dir = Option.String({ name: 'dir', required: false })

  constructor(facts?: FormatFacts) {
    super(lambdaRenderCommandFlags, facts)
  }

  async execute() {
    const { runLambdaRender } = await import('./run.ts')
    await runLambdaRender(this.dir, this.rawFlags(), this.context)
  }
}
