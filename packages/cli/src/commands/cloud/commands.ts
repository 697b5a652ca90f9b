import type { CommandType } from '../../command-type.ts'
import { adminCommands } from './admin/commands.ts'
import { CloudBackupCommand, CloudRestoreCommand } from './backup/command.ts'
import { CloudDeleteCommand } from './delete/command.ts'
import { CloudDoctorCommand } from './doctor/command.ts'
import { CloudGetCommand } from './get/command.ts'
import { CloudListCommand } from './list/command.ts'
import { CloudRenderCommand } from './render/command.ts'
import { CloudServeCommand } from './serve/command.ts'

/** Every command of `vid cloud`. */
export const cloudCommands: readonly CommandType[] = [
  CloudRenderCommand,
  CloudGetCommand,
  CloudListCommand,
  CloudDeleteCommand,
  CloudServeCommand,
  CloudDoctorCommand,
  CloudBackupCommand,
  CloudRestoreCommand,
  ...adminCommands,
]
