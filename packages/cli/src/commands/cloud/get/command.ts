import { Command, Option } from 'clipanion'
import { outputFlags } from '../../../cloud/flags.ts'
import { FlagCommand } from '../../../flags/flag-command.ts'

/** `vid cloud get <render_id>`. */
export class CloudGetCommand extends FlagCommand {
  static override paths = [['cloud', 'get']]
  static override usage = Command.Usage({
    category: 'Cloud',
    description: 'Show a render of a hosted API in full.',
    details:
      'Prints everything that is known of it, with a freshly signed address of its video, which expires: everybody with the address can fetch the video until then.',
    examples: [['How far it is', 'vid cloud get render_7Kq2']],
  })
  id = Option.String({ name: 'render_id' })

  constructor() {
    super(outputFlags)
  }

  async execute() {
    const { runCloudGet } = await import('./run.ts')
    await runCloudGet(this.id, this.rawFlags(), this.context)
  }
}
