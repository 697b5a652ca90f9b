import { Command, Option } from 'clipanion'
import type { FormatFacts } from '../../flags/flag.ts'
import { FlagCommand } from '../../flags/flag-command.ts'
import { renderFlags } from '../render/flags.ts'

/** `vid inspect [dir]`. */
export class InspectCommand extends FlagCommand {
  static override paths = [['inspect']]
  static override usage = Command.Usage({
    description: 'Show what a render would do, and why.',
    details:
      'Takes the flags of vid render. Prints each value and where it came from, the plugins, the plan (for which the page is opened once), every tap on every hook, and the time each took.',
    examples: [
      ['The folder "intro"', 'vid inspect intro'],
      ['Without opening a browser', 'vid inspect intro --no-plan'],
    ],
  })
  dir = Option.String({ name: 'dir', required: false })
  plan = Option.Boolean('--plan', true, { description: 'plan the render, --no-plan to open no browser' })

  short = Option.Boolean('--short', false, {
    description: 'only what this render sets, and its size, length and format',
  })

  constructor(facts?: FormatFacts) {
    super(renderFlags, facts)
  }

  async execute() {
    const { runInspect } = await import('./run.ts')
    await runInspect(this.dir ?? '.', this.rawFlags(), { plan: this.plan, isShort: this.short }, this.context)
  }
}
