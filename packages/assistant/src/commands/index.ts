import type { AnyCommand, CommandLists } from '@vid/command'
import { mcpCommand } from './mcp.ts'

/** The commands of this package, which have tools of all others. */
const commands = (lists: CommandLists): readonly AnyCommand[] => [mcpCommand(lists)]

export default commands
