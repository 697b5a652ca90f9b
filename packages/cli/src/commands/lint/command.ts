import { Command, Option } from 'clipanion'
import type { FormatFacts } from '../../flags/flag.ts'
import { FlagCommand } from '../../flags/flag-command.ts'
import { lintFlags } from './flags.ts'

/** `vid lint [dir]`. */
export class LintCommand extends FlagCommand {
  static override paths = [['lint']]
  static override usage = Command.Usage({
    description: 'Find mistakes in a composition, without a browser.',
    details:
      'Reads index.html of a folder (default: the current one) and everything that it embeds, and prints each finding with its line and what to do. Exits with 1 when there is an error.',
    examples: [
      ['The folder "intro"', 'vid lint intro'],
      ['As it would be rendered with alpha, in CI', 'vid lint intro --format webm --strict'],
    ],
  })
  dir = Option.String({ name: 'dir', required: false })

  constructor(facts?: FormatFacts) {
    super(lintFlags, facts)
  }

  async execute() {
    const { runLint } = await import('./run.ts')
    return runLint(this.dir ?? '.', this.rawFlags(), this.context)
  }
}
