import { Command, Option } from 'clipanion'
import type { FormatFacts } from '../../flags/flag.ts'
import { FlagCommand } from '../../flags/flag-command.ts'
import { renderFlags } from './flags.ts'

/** `vid render [dir]`. */
export class RenderCommand extends FlagCommand {
  static override paths = [['render']]
  static override usage = Command.Usage({
    description: 'Render a composition to a video.',
    details: 'Renders index.html of a folder (default: the current one) and prints the path of the result.',
    examples: [
      ['The folder "intro", as a draft', 'vid render intro --quality draft'],
      ['Once for each row', "vid render intro --batch rows.json -o 'out/{name}.mp4'"],
      ['With other words', `vid render intro --variables '{"title":"Hello"}' -o hello.mp4`],
    ],
  })
  dir = Option.String({ name: 'dir', required: false })

  constructor(facts?: FormatFacts) {
    super(renderFlags, facts)
  }

  async execute() {
    const rawFlags = this.rawFlags()
    const run =
      rawFlags.batch === undefined ? (await import('./run.ts')).runRender : (await import('./batch.ts')).runRenderBatch
    await run(this.dir ?? '.', rawFlags, this.context)
  }
}
