import { commandsWith } from '@vid/command'
import { checkEvents } from '../events.ts'
import { checkCommand } from './check.ts'

/** The commands of this package. */
const commands = commandsWith(checkEvents, [checkCommand])

export default commands
