import type { AnyCommand } from '@vid/command'
import { timelineCommand } from './timeline.ts'

/** The commands of this package. */
const commands: readonly AnyCommand[] = [timelineCommand]

export default commands
