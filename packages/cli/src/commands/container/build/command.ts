import { Command } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { buildFlags } from '../flags.ts'

/** `vid container build`. */
export class ContainerBuildCommand extends FlagCommand {
  static override paths = [['container', 'build']]
  static override usage = Command.Usage({
    category: 'Container',
    description: 'Build the image that --docker renders in.',
    details:
      'Builds with Docker or Podman, whichever answers first; VID_CONTAINER_ENGINE names another. An image that is there already is not built again.',
    examples: [
      ['Once, before the first render', 'vid container build'],
      ['On another base', 'vid container build --base-image registry.example.com/debian:bookworm-slim'],
    ],
  })

  constructor() {
    super(buildFlags)
  }

  async execute() {
    const { runContainerBuild } = await import('./run.ts')
    await runContainerBuild(this.rawFlags(), this.context)
  }
}
