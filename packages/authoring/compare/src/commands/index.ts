import type { AnyCommand } from '@vid/command'
import { diffCommand } from './diff.ts'
import { sheetCommand } from './sheet.ts'

/** The commands of this package. */
const commands: readonly AnyCommand[] = [diffCommand, sheetCommand]

export default commands
