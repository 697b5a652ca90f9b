import { Command } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { doctorFlags } from './flags.ts'

/** `vid cloud doctor`. */
export class CloudDoctorCommand extends FlagCommand {
  static override paths = [['cloud', 'doctor']]
  static override usage = Command.Usage({
    description: 'Try out the parts of a server of the hosted API, and say what is wrong and what to do.',
    details:
      'Looks at the database of DATABASE_URL or of --state, the storage, the workers, the queue and the webhooks, also while the server runs. Ends with 1 when something is wrong that it cannot work without.',
    examples: [['As a program reads it', 'vid cloud doctor --json']],
  })

  constructor() {
    super(doctorFlags)
  }

  async execute() {
    const { runDoctor } = await import('./run.ts')
    return runDoctor(this.rawFlags(), this.context)
  }
}
