import { type AnyCommand, type CommandLists, commandsWith } from '@vid/command'
import { assistantEvents } from './events.ts'
import { mcpCommand } from './mcp.ts'
import { setupCommand } from './setup.ts'

/** The commands of this package, which have tools of all others. */
const commands = (lists: CommandLists): readonly AnyCommand[] =>
  commandsWith(assistantEvents, [mcpCommand(lists), setupCommand])

export default commands
