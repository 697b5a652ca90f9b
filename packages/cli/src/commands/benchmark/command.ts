import { Command, Option } from 'clipanion'
import type { FormatFacts } from '../../flags/flag.ts'
import { FlagCommand } from '../../flags/flag-command.ts'
import { benchmarkFlags } from './flags.ts'

/** `vid benchmark [dir]`. */
export class BenchmarkCommand extends FlagCommand {
  static override paths = [['benchmark']]
  static override usage = Command.Usage({
    description: 'Measure how fast a composition renders on this machine.',
    details:
      'Renders index.html of a folder (default: the current one) several times, with each number of workers and each quality, and prints medians and what was fastest. Nothing is kept, delivered or taken from the cache.',
    examples: [
      ['The folder "intro"', 'vid benchmark intro'],
      ['One and two workers, as a draft', 'vid benchmark intro --workers 1,2 --quality draft'],
    ],
  })
  dir = Option.String({ name: 'dir', required: false })

  constructor(facts?: FormatFacts) {
    super(benchmarkFlags, facts)
  }

  async execute() {
    const { runBenchmark } = await import('./run.ts')
    await runBenchmark(this.dir ?? '.', this.rawFlags(), this.context)
  }
}
