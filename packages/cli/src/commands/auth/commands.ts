import type { CommandType } from '../../command-type.ts'
import { AuthLoginCommand } from './login/command.ts'
import { AuthLogoutCommand } from './logout/command.ts'
import { AuthRefreshCommand } from './refresh/command.ts'
import { AuthStatusCommand } from './status/command.ts'

/** Every command of `vid auth`. */
export const authCommands: readonly CommandType[] = [
  AuthLoginCommand,
  AuthStatusCommand,
  AuthRefreshCommand,
  AuthLogoutCommand,
]
