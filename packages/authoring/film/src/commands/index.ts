import type { AnyCommand } from '@vid/command'
import { beatsCommand } from './beats.ts'
import { captionsExportCommand } from './captions-export.ts'
import { timelineCommand } from './timeline.ts'

/** The commands of this package. */
const commands: readonly AnyCommand[] = [timelineCommand, beatsCommand, captionsExportCommand]

export default commands
