import type { AnyCommand } from '@vid/command'
import { importCommand } from './import.ts'

export { cuesText } from './cues-text.ts'
export { fileOptions, languageOption } from './file-options.ts'

/** The commands of this package. */
const commands: readonly AnyCommand[] = [importCommand]

export default commands
