import { Command, Option } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { lambdaSitesCreateFlags } from './flags.ts'

/** `vid lambda sites create [dir]`. */
export class LambdaSitesCreateCommand extends FlagCommand {
  static override paths = [['lambda', 'sites', 'create']]
  static override usage = Command.Usage({
    category: 'Lambda',
    description: 'Upload a project once, and print the id of its site.',
    details:
      'The id is made of the names, modes and contents of the files: an unchanged folder is not uploaded again. Give it to --site-id of vid lambda render.',
    examples: [['The folder "intro"', 'vid lambda sites create intro']],
  })
  dir = Option.String({ name: 'dir', required: false })

  constructor() {
    super(lambdaSitesCreateFlags)
  }

  async execute() {
    const { runLambdaSitesCreate } = await import('./run.ts')
    await runLambdaSitesCreate(this.dir, this.rawFlags(), this.context)
  }
}
