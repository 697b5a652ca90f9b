import { Command, Option } from 'clipanion'
import type { FormatFacts } from '../../flags/flag.ts'
import { FlagCommand } from '../../flags/flag-command.ts'
import { cleanFlags } from './flags.ts'

/** `vid clean [dir]`. */
export class CleanCommand extends FlagCommand {
  static override paths = [['clean']]
  static override usage = Command.Usage({
    description: 'Remove the finished segments that were kept for a project.',
    details:
      'Empties the cache of a folder (default: the current one), which by default is .vid/cache in it, and prints how many bytes that freed. The next render makes every segment anew.',
    examples: [['The folder "intro"', 'vid clean intro']],
  })
  dir = Option.String({ name: 'dir', required: false })

  constructor(facts?: FormatFacts) {
    super(cleanFlags, facts)
  }

  async execute() {
    const { runClean } = await import('./run.ts')
    await runClean(this.dir ?? '.', this.rawFlags(), this.context)
  }
}
