import { Command, Option } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { insideFlags } from '../flags.ts'

/** `vid container inside <order>`. */
export class ContainerInsideCommand extends FlagCommand {
  static override paths = [['container', 'inside']]
  static override usage = Command.Usage({
    category: 'Container',
    description: 'Render what a file asks for: what --docker starts in a container, and of no use elsewhere.',
  })
  order = Option.String({ name: 'order', required: true })

  constructor() {
    super(insideFlags)
  }

  async execute() {
    const { runContainerInside } = await import('./run.ts')
    return runContainerInside(this.order, this.context)
  }
}
