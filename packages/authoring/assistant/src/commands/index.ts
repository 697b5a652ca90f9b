import type { AnyCommand, CommandLists } from '@vid/command'
import { mcpCommand } from './mcp.ts'
import { setupCommand } from './setup.ts'

/** The commands of this package, which have tools of all others. */
const commands = (lists: CommandLists): readonly AnyCommand[] => [mcpCommand(lists), setupCommand]

export default commands
