import { nearest } from '@vid/kernel'
import type { CommandEntry } from '../../command-type.ts'
import { fail } from '../../errors.ts'
import type { CliContext } from '../../flags/flag-command.ts'
import { bashScript } from './bash-script.ts'
import { completedCommands } from './completed-commands.ts'
import { configValues } from './config-values.ts'
import { fishScript } from './fish-script.ts'
import { zshScript } from './zsh-script.ts'

const scripts: Readonly<Record<string, typeof bashScript>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** `vid completion`: prints the script of a shell. */
export const runCompletion = async (
  shell: string,
  entries: Readonly<Record<string, CommandEntry>>,
  context: CliContext,
): Promise<void> => {
  const known = Object.keys(scripts)
  const write = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (!write) throw fail('VID_SHELL_UNKNOWN', { shell, near: nearest(shell, known), known })
  const all = await completedCommands(entries, await configValues(context))
  context.stdout.write(write(all, entries))
}
