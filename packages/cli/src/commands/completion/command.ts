import { defineCommand } from '@vid/command'
import type { CommandLists } from '../../command-lists.ts'

/** `vid completion <shell>`, for the commands of `lists`. */
export const completionCommand = (lists: CommandLists) =>
  defineCommand({
    path: 'completion',
    summary: 'Print a script with which a shell completes commands, flags and values.',
    details:
      'Shells: bash, zsh and fish. The script needs no vid to run: print it again after an update, and after installing a package that brings commands. Names of presets, targets and formats are those of the config of the folder in which it is printed. It completes a command named vid, which "npm install --global @vid/cli" makes.',
    arguments: [{ name: 'shell' }],
    options: {},
    examples: [
      ['bash, in ~/.bashrc', 'source <(vid completion bash)'],
      ['zsh, in ~/.zshrc after compinit', 'source <(vid completion zsh)'],
      ['fish', 'vid completion fish > ~/.config/fish/completions/vid.fish'],
    ],
    run: async (run) => (await import('./run.ts')).runCompletion(run, lists),
    text: ({ script }) => script,
  })
