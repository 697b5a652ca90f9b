import { Command, Option } from 'clipanion'
import type { FormatFacts } from '../../flags/flag.ts'
import { FlagCommand } from '../../flags/flag-command.ts'
import { snapshotFlags } from './flags.ts'

/** `vid snapshot [dir]`. */
export class SnapshotCommand extends FlagCommand {
  static override paths = [['snapshot']]
  static override usage = Command.Usage({
    description: 'Take PNG stills of a composition.',
    details:
      'Captures single frames of index.html of a folder (default: the current one), as a render would, and prints their paths.',
    examples: [
      ['At two times and in the middle', 'vid snapshot intro --at 1s,2.5s,50%'],
      ['Nine, evenly spread', 'vid snapshot intro --frames 9 -o stills'],
    ],
  })
  dir = Option.String({ name: 'dir', required: false })

  constructor(facts?: FormatFacts) {
    super(snapshotFlags, facts)
  }

  async execute() {
    const { runSnapshot } = await import('./run.ts')
    await runSnapshot(this.dir ?? '.', this.rawFlags(), this.context)
  }
}
