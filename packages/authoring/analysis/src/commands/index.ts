import { commandsWith } from '@vid/command'
import { analysisEvents } from '../events.ts'
import { beatsCommand } from './beats.ts'
import { captionsExportCommand } from './captions-export.ts'
import { diffCommand } from './diff.ts'
import { sheetCommand } from './sheet.ts'
import { timelineCommand } from './timeline.ts'

/** The commands of this package. */
const commands = commandsWith(analysisEvents, [
  timelineCommand,
  beatsCommand,
  captionsExportCommand,
  diffCommand,
  sheetCommand,
])

export default commands
