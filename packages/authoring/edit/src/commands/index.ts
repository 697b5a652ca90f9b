import { commandsWith } from '@vid/command'
import { applyCommand } from './apply.ts'
import { clipCommands } from './clip-commands.ts'
import { commentCommands } from './comment-commands.ts'
import { contentCommands } from './content-commands.ts'
import { editEvents } from './events.ts'
import { historyCommands } from './history-commands.ts'
import { insertCommand } from './insert.ts'

/** The commands of this package. */
const commands = commandsWith(editEvents, [
  ...clipCommands,
  insertCommand,
  ...contentCommands,
  applyCommand,
  ...historyCommands,
  ...commentCommands,
])

export default commands
