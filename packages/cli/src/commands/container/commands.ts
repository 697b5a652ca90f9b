import type { CommandType } from '../../command-type.ts'
import { ContainerBuildCommand } from './build/command.ts'
import { ContainerInfoCommand } from './info/command.ts'
import { ContainerInsideCommand } from './inside/command.ts'
import { ContainerSeccompCommand } from './seccomp/command.ts'
import { ContainerShellCommand } from './shell/command.ts'

/** Every command of `vid container`. */
export const containerCommands: readonly CommandType[] = [
  ContainerBuildCommand,
  ContainerInfoCommand,
  ContainerShellCommand,
  ContainerSeccompCommand,
  ContainerInsideCommand,
]
