import type { AnyCommand } from '@vid/command'
import { producerCommand } from './command.ts'

/** The commands of this package. */
const commands: readonly AnyCommand[] = [producerCommand]

export default commands
