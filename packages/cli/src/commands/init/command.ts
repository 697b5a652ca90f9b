import { Command, Option } from 'clipanion'
import { FlagCommand } from '../../flags/flag-command.ts'
import { initFlags } from './flags.ts'

/** `vid init [name]`. */
export class InitCommand extends FlagCommand {
  static override paths = [['init']]
  static override usage = Command.Usage({
    description: 'Make a project of a video to start from.',
    details:
      'Makes the folder with a composition, its media, a package.json, a config, a README, and an AGENTS.md that tells a coding assistant the rules. Without a name it uses the current folder, which must be empty. Needs no network, and never replaces a file.',
    examples: [
      ['A title on a dark ground', 'vid init intro'],
      ['Name and role of a speaker, transparent', 'vid init speaker --template lower-third'],
      ['What there is to start from', 'vid init --list'],
    ],
  })
  folder = Option.String({ name: 'name', required: false })

  constructor() {
    super(initFlags)
  }

  async execute() {
    const { runInit } = await import('./run.ts')
    return runInit(this.folder, this.rawFlags(), this.context)
  }
}
