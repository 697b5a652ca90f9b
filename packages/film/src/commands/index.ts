import type { AnyCommand } from '@vid/command'
import { captionsExportCommand } from './captions-export.ts'
import { timelineCommand } from './timeline.ts'

/** The commands of this package. */
const commands: readonly AnyCommand[] = [timelineCommand, captionsExportCommand]

export default commands
