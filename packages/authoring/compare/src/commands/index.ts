import { commandsWith } from '@vid/command'
import { compareEvents } from '../events.ts'
import { diffCommand } from './diff.ts'
import { sheetCommand } from './sheet.ts'

/** The commands of this package. */
const commands = commandsWith(compareEvents, [diffCommand, sheetCommand])

export default commands
