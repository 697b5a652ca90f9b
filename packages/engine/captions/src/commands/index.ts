import { commandsWith } from '@vid/command'
import { captionEvents } from './events.ts'
import { importCommand } from './import.ts'

export { cuesText } from './cues-text.ts'
export { fileOptions, languageOption } from './file-options.ts'

/** The commands of this package. */
const commands = commandsWith(captionEvents, [importCommand])

export default commands
