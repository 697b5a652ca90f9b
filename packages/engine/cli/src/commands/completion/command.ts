import { type CommandLists, defineCommand } from '@vid/command'

/** `vid completion <shell>`, for the commands of `lists`. */
export const completionCommand = (lists: CommandLists) =>
  defineCommand({
    path: 'completion',
    summary: 'Print a completion script for a shell.',
    details:
      'Shells: bash, zsh and fish. Print it again after an update, and after installing a package with commands. It knows the presets, targets and formats of the config of the current folder, and completes a command named vid, which a global installation of @vid/cli brings.',
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
