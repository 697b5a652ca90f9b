import { Command, Option } from 'clipanion'
import { FlagCommand } from '../flag-command.ts'
import { renderFlags } from '../render-flags.ts'

/** `vid render [dir]`. */
export class RenderCommand extends FlagCommand {
  static override paths = [['render']]
  static override usage = Command.Usage({
    description: 'Render a composition to a video.',
    details: 'Renders index.html of a folder (default: the current one) and prints the path of the result.',
    examples: [
      ['The folder "intro", as a draft', 'vid render intro --quality draft'],
      ['With other words', `vid render intro --variables '{"title":"Hello"}' -o hello.mp4`],
    ],
  })
  dir = Option.String({ name: 'dir', required: false })

  constructor() {
    super(renderFlags)
  }

  async execute() {
    const { runRender } = await import('../render.ts')
    await runRender(this.dir ?? '.', this.given(), this.context)
  }
}
