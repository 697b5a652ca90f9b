import { Command, Option } from 'clipanion'
import { benchmarkFlags } from '../benchmark-flags.ts'
import { FlagCommand } from '../flag-command.ts'

/** `vid benchmark [dir]`. */
export class BenchmarkCommand extends FlagCommand {
  static override paths = [['benchmark']]
  static override usage = Command.Usage({
    description: 'Measure how fast a composition renders on this machine.',
    details:
      'Renders index.html of a folder (default: the current one) several times, with each number of workers and each quality, and prints medians. Nothing is kept, delivered or taken from the cache.',
    examples: [
      ['The folder "intro"', 'vid benchmark intro'],
      ['One and two workers, as a draft', 'vid benchmark intro --workers 1,2 --quality draft'],
    ],
  })
  dir = Option.String({ name: 'dir', required: false })

  constructor() {
    super(benchmarkFlags)
  }

  async execute() {
    const { runBenchmark } = await import('../benchmark.ts')
    await runBenchmark(this.dir ?? '.', this.given(), this.context)
  }
}
