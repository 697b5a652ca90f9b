import type { AnyCommand } from '@vid/command'
import { sheetCommand } from './sheet.ts'

/** The commands of this package. */
const commands: readonly AnyCommand[] = [sheetCommand]

export default commands
