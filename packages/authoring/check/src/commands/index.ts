import type { AnyCommand } from '@vid/command'
import { checkCommand } from './check.ts'

/** The commands of this package. */
const commands: readonly AnyCommand[] = [checkCommand]

export default commands
