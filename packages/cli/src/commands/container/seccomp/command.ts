import { Command } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { seccompFlags } from '../flags.ts'

/** `vid container seccomp`. */
export class ContainerSeccompCommand extends FlagCommand {
  static override paths = [['container', 'seccomp']]
  static override usage = Command.Usage({
    category: 'Container',
    description: 'Print the filter of system calls with which the browser has its sandbox in a container.',
    details: '--docker uses it by itself; this is for containers that you start, such as those of servers.',
    examples: [['For an engine', 'vid container seccomp > vid-seccomp.json']],
  })

  constructor() {
    super(seccompFlags)
  }

  async execute() {
    const { seccompProfile } = await import('@vid/container')
    this.context.stdout.write(`${seccompProfile()}\n`)
  }
}
