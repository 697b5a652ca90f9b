import { Command, Option } from 'clipanion'
import type { CommandEntry, CommandType } from '../../command-type.ts'
import type { FormatFacts } from '../../flags/flag.ts'
import { FlagCommand } from '../../flags/flag-command.ts'

/** `vid completion <shell>`, for the commands of `entries`. */
export const completionCommand = (entries: () => Readonly<Record<string, CommandEntry>>): CommandType =>
  class CompletionCommand extends FlagCommand {
    static override paths = [['completion']]
    static override usage = Command.Usage({
      description: 'Print a script with which a shell completes commands, flags and values.',
      details:
        'Shells: bash, zsh and fish. The script needs no vid to run: print it again after an update. Names of presets, targets and formats are those of the config of the folder in which it is printed. It completes a command named vid, which "npm install --global @vid/cli" makes.',
      examples: [
        ['bash, in ~/.bashrc', 'source <(vid completion bash)'],
        ['zsh, in ~/.zshrc after compinit', 'source <(vid completion zsh)'],
        ['fish', 'vid completion fish > ~/.config/fish/completions/vid.fish'],
      ],
    })
    shell = Option.String({ name: 'shell' })

    constructor(facts?: FormatFacts) {
      super({}, facts)
    }

    async execute() {
      const { runCompletion } = await import('./run.ts')
      await runCompletion(this.shell, entries(), this.context)
    }
  }
