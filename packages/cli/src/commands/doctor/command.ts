import { Command, Option } from 'clipanion'
import type { FormatFacts } from '../../flags/flag.ts'
import { FlagCommand } from '../../flags/flag-command.ts'
import { doctorFlags } from './flags.ts'

/** `vid doctor [dir]`. */
export class DoctorCommand extends FlagCommand {
  static override paths = [['doctor']]
  static override usage = Command.Usage({
    description: 'Try out what renders need on this machine, and say what is missing and how to get it.',
    details:
      'Captures a frame in each way that the engine of the config has, encodes a second in each format, and tries the folders, the fonts, the GPU, and the servers and credentials that the config of a folder (default: the current one) names. Ends with 1 when something fails that renders need.',
    examples: [
      ['This machine, with the config of the current folder', 'vid doctor'],
      ['Mend what can be mended', 'vid doctor --fix'],
      ['As a program reads it', 'vid doctor --json'],
    ],
  })
  dir = Option.String({ name: 'dir', required: false })

  constructor(facts?: FormatFacts) {
    super(doctorFlags, facts)
  }

  async execute() {
    const { runDoctor } = await import('./run.ts')
    return runDoctor(this.dir ?? '.', this.rawFlags(), this.context)
  }
}
