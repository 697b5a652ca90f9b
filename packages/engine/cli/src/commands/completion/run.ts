import type { CommandLists, CommandRun, OptionTable } from '@vid/command'
import { nearest } from '@vid/protocol'
import { fail } from '../../errors.ts'
import { bashScript } from './bash-script.ts'
import { completedCommand } from './completed-commands.ts'
import { configValues } from './config-values.ts'
import { fishScript } from './fish-script.ts'
import { zshScript } from './zsh-script.ts'

const scripts: Readonly<Record<string, typeof bashScript>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** `vid completion`: the script of a shell. */
export const runCompletion = async (run: CommandRun<OptionTable, { readonly shell: string }>, lists: CommandLists) => {
  const { shell } = run.arguments
  const shells = Object.keys(scripts)
  const write = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (!write) throw fail('VID_SHELL_UNKNOWN', { shell, near: nearest(shell, shells), known: shells })
  const values = await configValues(run)
  const commands = (await lists.all(run)).map((command) => completedCommand(command, values))
  return { script: write(commands, lists.firstWords).trimEnd() }
}
