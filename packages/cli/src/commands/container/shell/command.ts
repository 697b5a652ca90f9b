import { Command, Option } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { shellFlags } from '../flags.ts'

/** `vid container shell [dir]`. */
export class ContainerShellCommand extends FlagCommand {
  static override paths = [['container', 'shell']]
  static override usage = Command.Usage({
    category: 'Container',
    description: 'Open a shell where --docker would render a folder, with the same limits.',
    details: 'Nothing that is written there is kept.',
  })
  dir = Option.String({ name: 'dir', required: false })

  constructor() {
    super(shellFlags)
  }

  async execute() {
    const { runContainerShell } = await import('./run.ts')
    return runContainerShell(this.dir ?? '.', this.rawFlags(), this.context)
  }
}
