import { commandsWith } from '@vid/command'
import { producerCommand } from './command.ts'
import { producerEvents } from './events.ts'

/** The commands of this package. */
const commands = commandsWith(producerEvents, [producerCommand])

export default commands
