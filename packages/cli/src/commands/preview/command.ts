import { Command, Option } from 'clipanion'
import type { FormatFacts } from '../../flags/flag.ts'
import { FlagCommand } from '../../flags/flag-command.ts'
import { previewFlags } from './flags.ts'

/** `vid preview [dir]`. */
export class PreviewCommand extends FlagCommand {
  static override paths = [['preview']]
  static override usage = Command.Usage({
    description: 'See a composition in a browser as it will be rendered, while you edit it.',
    details:
      'Serves a page that plays the compositions of a folder (default: the current one), and prints its address. The address holds a token: only the browser that opens it can use the preview, and only on this machine. Ends at Ctrl-C.',
    examples: [
      ['The current folder', 'vid preview'],
      ['Another folder, and the browser opens by itself', 'vid preview intro --open'],
    ],
  })
  dir = Option.String({ name: 'dir', required: false })

  constructor(facts?: FormatFacts) {
    super(previewFlags, facts)
  }

  async execute() {
    const { runPreview } = await import('./run.ts')
    await runPreview(this.dir ?? '.', this.rawFlags(), this.context)
  }
}
