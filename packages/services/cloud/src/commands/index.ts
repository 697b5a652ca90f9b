import { commandsWith } from '@vid/command'
import { accountCommands } from './accounts/command.ts'
import { adminEvents } from './admin-events.ts'
import { cloudBackupCommand, cloudRestoreCommand } from './backup/command.ts'
import { cloudDoctorCommand } from './doctor/command.ts'
import { keyCommands } from './keys/command.ts'
import { cloudMigrateCommand } from './migrate/command.ts'
import { cloudServeCommand } from './serve/command.ts'
import { webhookCommands } from './webhooks/command.ts'

/** The commands of this package. */
const commands = commandsWith(adminEvents, [
  cloudServeCommand,
  cloudMigrateCommand,
  cloudDoctorCommand,
  cloudBackupCommand,
  cloudRestoreCommand,
  ...accountCommands,
  ...keyCommands,
  ...webhookCommands,
])

export default commands
