import type { AnyCommand } from '@vid/command'
import { authLoginCommand } from './auth/login/command.ts'
import { authLogoutCommand } from './auth/logout/command.ts'
import { authRefreshCommand } from './auth/refresh/command.ts'
import { authStatusCommand } from './auth/status/command.ts'
import { cloudDeleteCommand } from './delete/command.ts'
import { cloudGetCommand } from './get/command.ts'
import { cloudListCommand } from './list/command.ts'
import { publishCommand } from './publish/command.ts'
import { cloudRenderCommand } from './render/command.ts'

/** The commands of this package. */
const commands: readonly AnyCommand[] = [
  cloudRenderCommand,
  cloudGetCommand,
  cloudListCommand,
  cloudDeleteCommand,
  authLoginCommand,
  authStatusCommand,
  authRefreshCommand,
  authLogoutCommand,
  publishCommand,
]

export default commands
