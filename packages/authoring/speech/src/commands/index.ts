import type { AnyCommand } from '@vid/command'
import { speakCommand } from './speak.ts'
import { transcribeCommand } from './transcribe.ts'

/** The commands of this package. */
const commands: readonly AnyCommand[] = [transcribeCommand, speakCommand]

export default commands
