import { commandsWith } from '@vid/command'
import { cloudEvents } from '../contract/cloud-events.ts'
import { authLoginCommand } from './auth/login/command.ts'
import { authLogoutCommand } from './auth/logout.ts'
import { authRefreshCommand } from './auth/refresh.ts'
import { authStatusCommand } from './auth/status/command.ts'
import { cloudDeleteCommand } from './delete.ts'
import { cloudGetCommand } from './get.ts'
import { cloudListCommand } from './list.ts'
import { publishCommand } from './publish/command.ts'
import { cloudRenderCommand } from './render/command.ts'

/** The commands of this package. */
const commands = commandsWith(cloudEvents, [
  cloudRenderCommand,
  cloudGetCommand,
  cloudListCommand,
  cloudDeleteCommand,
  authLoginCommand,
  authStatusCommand,
  authRefreshCommand,
  authLogoutCommand,
  publishCommand,
])

export default commands
