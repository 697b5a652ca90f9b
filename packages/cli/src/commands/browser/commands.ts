import type { CommandType } from '../../command-type.ts'
import { BrowserInstallCommand } from './install/command.ts'

/** Every command of `vid browser`. */
export const browserCommands: readonly CommandType[] = [BrowserInstallCommand]
