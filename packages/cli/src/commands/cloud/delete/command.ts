import { Command, Option } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { cloudDeleteFlags } from './flags.ts'

/** `vid cloud delete <render_id>`. */
export class CloudDeleteCommand extends FlagCommand {
  static override paths = [['cloud', 'delete']]
  static override usage = Command.Usage({
    category: 'Cloud',
    description: 'Delete a render of a hosted API.',
    details: 'A render that runs is ended. The record is gone at once; the server removes the files after a time.',
    examples: [['Without being asked', 'vid cloud delete render_7Kq2 --no-confirm']],
  })
  id = Option.String({ name: 'render_id' })

  constructor() {
    super(cloudDeleteFlags)
  }

  async execute() {
    const { runCloudDelete } = await import('./run.ts')
    await runCloudDelete(this.id, this.rawFlags(), this.context)
  }
}
