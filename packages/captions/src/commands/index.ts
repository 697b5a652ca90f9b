import type { AnyCommand } from '@vid/command'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'

/** The commands of this package. */
const commands: readonly AnyCommand[] = [importCommand, exportCommand]

export default commands
