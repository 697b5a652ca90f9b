import { Command, Option } from 'clipanion'
import type { FormatFacts } from '../../../flags/flag.ts'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { cloudRenderFlags } from './flags.ts'

/** `vid cloud render [dir]`. */
export class CloudRenderCommand extends FlagCommand {
  static override paths = [['cloud', 'render']]
  static override usage = Command.Usage({
    category: 'Cloud',
    description: 'Render a composition on a hosted API.',
    details:
      'Sends a folder (default: the current one) as a zip, waits for the video, fetches it, and prints its path. HOST_API_URL is the address of the API, http://127.0.0.1:9848 if it is not set.',
    examples: [
      ['The folder "intro"', 'vid cloud render intro'],
      ['Without waiting', 'vid cloud render intro --no-wait --callback-url https://example.com/rendered'],
    ],
  })
  dir = Option.String({ name: 'dir', required: false })

  constructor(facts?: FormatFacts) {
    super(cloudRenderFlags, facts)
  }

  async execute() {
    const { runCloudRender } = await import('./run.ts')
    await runCloudRender(this.dir, this.rawFlags(), this.context)
  }
}
