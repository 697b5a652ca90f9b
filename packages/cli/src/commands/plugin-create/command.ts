import { Command, Option } from 'clipanion'
import { FlagCommand } from '../../flags/flag-command.ts'
import { renderFlags } from '../render/flags.ts'

const { json, quiet } = renderFlags

/** `vid plugin create <role> <name>`. */
export class PluginCreateCommand extends FlagCommand {
  static override paths = [['plugin', 'create']]
  static override usage = Command.Usage({
    description: 'Make a package for a plugin of your own.',
    details:
      'Roles: capture, encoder, store, target, delivery, plugin (taps on any hook) and preset. Makes the folder vid-<role>-<name> with source, tests, a config and an example; it works anywhere, after "npm install" in it.',
    examples: [
      ['An encoder for a format "apng"', 'vid plugin create encoder apng'],
      ['Under a scope of your own', 'vid plugin create delivery @acme/archive'],
    ],
  })
  role = Option.String({ name: 'role' })
  name = Option.String({ name: 'name' })

  constructor() {
    super({ json, quiet })
  }

  async execute() {
    const { runPluginCreate } = await import('./create.ts')
    const rawFlags = this.rawFlags()
    const flags = { json: rawFlags.json === true, quiet: rawFlags.quiet === true }
    await runPluginCreate(this.role, this.name, flags, this.context)
  }
}
