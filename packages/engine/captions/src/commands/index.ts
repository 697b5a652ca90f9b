import { commandsWith } from '@vid/command'
import { captionEvents } from './events.ts'
import { captionsImportCommand } from './import.ts'

export { cuesText } from './cues-text.ts'
export { fileOptions, languageOption } from './file-options.ts'

/** The commands of this package. */
const commands = commandsWith(captionEvents, [captionsImportCommand])

export default commands
