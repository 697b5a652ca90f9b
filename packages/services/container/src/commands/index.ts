import type { AnyCommand } from '@vid/command'
import { containerBuildCommand } from './build.ts'
import { containerInfoCommand } from './info.ts'
import { containerInsideCommand } from './inside/command.ts'
import { containerSeccompCommand } from './seccomp/command.ts'
import { containerShellCommand } from './shell.ts'

/** The commands of this package. */
const commands: readonly AnyCommand[] = [
  containerBuildCommand,
  containerInfoCommand,
  containerShellCommand,
  containerSeccompCommand,
  containerInsideCommand,
]

export default commands
