import { Command } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { lambdaPackageFlags } from './flags.ts'

/** `vid lambda package`. */
export class LambdaPackageCommand extends FlagCommand {
  static override paths = [['lambda', 'package']]
  static override usage = Command.Usage({
    category: 'Lambda',
    description: 'Write the package of the function, or a folder to build its image from, and deploy nothing.',
    details:
      'Builds the function from vid.config.ts as vid lambda deploy does, and checks it. --image-context is for a function that is too big for a package: its README names the commands that build, push and deploy the image. Prints the path.',
    examples: [
      ['The package', 'vid lambda package --out function.zip'],
      ['A folder for docker build', 'vid lambda package --image-context image'],
    ],
  })

  constructor() {
    super(lambdaPackageFlags)
  }

  async execute() {
    const { runLambdaPackage } = await import('./run.ts')
    await runLambdaPackage(this.rawFlags(), this.context)
  }
}
