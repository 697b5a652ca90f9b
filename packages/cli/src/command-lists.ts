import type { AnyCommand, CommandContext } from '@vid/command'

/** What is known of all commands, for the command that completes them. */
export interface CommandLists {
  /** Every command that can be run in a folder: those of vid, of installed surfaces, and of the config. */
  all(context: Pick<CommandContext, 'cwd' | 'env' | 'unguarded'>): Promise<readonly AnyCommand[]>
  /** What the first words of the commands of vid are about. */
  readonly firstWords: Readonly<Record<string, string>>
}
