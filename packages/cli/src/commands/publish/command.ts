import { Command, Option } from 'clipanion'
import type { FormatFacts } from '../../flags/flag.ts'
import { FlagCommand } from '../../flags/flag-command.ts'
import { publishFlags } from './flags.ts'

/** `vid publish [dir]`. */
export class PublishCommand extends FlagCommand {
  static override paths = [['publish']]
  static override usage = Command.Usage({
    category: 'Cloud',
    description: 'Show a composition on a page of a hosted API.',
    details:
      'Sends a folder (default: the current one), has it rendered at draft quality, and prints the address of a page that plays the composition and offers the video. Nobody can guess the address; everybody with it can see the page, and read the files of the folder that were sent, unless --no-play has the page show the video alone.',
    examples: [
      ['The folder "intro"', 'vid publish intro --title "Our intro"'],
      ['The video alone, without the files', 'vid publish intro --no-play'],
      ['What is published, and taking it back', 'vid publish --list && vid publish --unpublish pub_7Kq2'],
    ],
  })
  dir = Option.String({ name: 'dir', required: false })

  constructor(facts?: FormatFacts) {
    super(publishFlags, facts)
  }

  async execute() {
    const { runPublish } = await import('./run.ts')
    await runPublish(this.dir, this.rawFlags(), this.context)
  }
}
