import { Command, Option } from 'clipanion'
import { FlagCommand } from '../../flags/flag-command.ts'
import { importFlags } from './flags.ts'

/** `vid import hyperframes DIR [name]`. */
export class ImportCommand extends FlagCommand {
  static override paths = [['import']]
  static override usage = Command.Usage({
    description: 'Make a project from one of another program.',
    details:
      'Copies the project into a new folder, replaces what differs in its name only, and prints what is left to do with file, line and hint. Never changes the project that it copies. Without a name, the new folder is named after the old one, with "-vid" at its end.',
    examples: [
      ['A project of HyperFrames, into "old-video-vid"', 'vid import hyperframes ../old-video'],
      ['Into a folder of your choice', 'vid import hyperframes ../old-video intro'],
    ],
  })
  from = Option.String({ name: 'from' })
  dir = Option.String({ name: 'dir' })
  folder = Option.String({ name: 'name', required: false })

  constructor() {
    super(importFlags)
  }

  async execute() {
    const { runImport } = await import('./run.ts')
    const { from, dir, folder } = this
    return runImport({ from, dir, folder }, this.rawFlags(), this.context)
  }
}
