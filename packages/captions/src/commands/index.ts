import type { AnyCommand } from '@vid/command'
import { importCommand } from './import.ts'

/** The commands of this package. */
const commands: readonly AnyCommand[] = [importCommand]

export default commands
