import { commandsWith } from '@vid/command'
import { speechEvents } from './events.ts'
import { speakCommand } from './speak.ts'
import { transcribeCommand } from './transcribe.ts'

/** The commands of this package. */
const commands = commandsWith(speechEvents, [transcribeCommand, speakCommand])

export default commands
