import type { AnyCommand, CommandContext } from '@vid/command'
import { loadProjectConfig, openContext } from '@vid/render'

/** The commands that the config of the current folder brings. */
export const configCommands = async ({
  cwd,
  env,
  unguarded,
}: Pick<CommandContext, 'cwd' | 'env' | 'unguarded'>): Promise<readonly AnyCommand[]> => {
  const open = await openContext({ cwd, env, configFrom: 'cwd', loading: unguarded })
  const { commands } = await loadProjectConfig(cwd, {}, open)
  return commands as readonly AnyCommand[]
}
