import { commandsWith } from '@vid/command'
import { filmEvents } from '../events.ts'
import { beatsCommand } from './beats.ts'
import { captionsExportCommand } from './captions-export.ts'
import { timelineCommand } from './timeline.ts'

/** The commands of this package. */
const commands = commandsWith(filmEvents, [timelineCommand, beatsCommand, captionsExportCommand])

export default commands
