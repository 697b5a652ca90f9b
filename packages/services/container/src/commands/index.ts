import { commandsWith } from '@vid/command'
import { containerBuildCommand } from './build.ts'
import { containerEvents } from './events.ts'
import { containerInfoCommand } from './info.ts'
import { containerInsideCommand } from './inside/command.ts'
import { containerSeccompCommand } from './seccomp/command.ts'
import { containerShellCommand } from './shell.ts'

/** The commands of this package. */
const commands = commandsWith(containerEvents, [
  containerBuildCommand,
  containerInfoCommand,
  containerShellCommand,
  containerSeccompCommand,
  containerInsideCommand,
])

export default commands
