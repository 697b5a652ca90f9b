import type { CommandContext } from '../context.ts'
import type { AnyCommand } from './command.ts'

/** What is known of all commands, for commands that are about them. */
export interface CommandLists {
  /** Every command that can be run in a folder: those of vid, of installed surfaces, and of the config unless it is left out. */
  all(
    context: Pick<CommandContext, 'cwd' | 'env' | 'unguarded'>,
    options?: { readonly config?: boolean },
  ): Promise<readonly AnyCommand[]>
  /** What the first words of the commands of vid are about. */
  readonly firstWords: Readonly<Record<string, string>>
}
