import { Command } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { infoFlags } from '../flags.ts'

/** `vid container info`. */
export class ContainerInfoCommand extends FlagCommand {
  static override paths = [['container', 'info']]
  static override usage = Command.Usage({
    category: 'Container',
    description: 'Show the container engine and the image that --docker uses.',
  })

  constructor() {
    super(infoFlags)
  }

  async execute() {
    const { runContainerInfo } = await import('./run.ts')
    await runContainerInfo(this.rawFlags(), this.context)
  }
}
