import type { CommandType } from '../../command-type.ts'
import { LambdaDeployCommand } from './deploy/command.ts'
import { LambdaDestroyCommand } from './destroy/command.ts'
import { LambdaListCommand } from './list/command.ts'
import { LambdaLogsCommand } from './logs/command.ts'
import { LambdaPackageCommand } from './package/command.ts'
import { LambdaPoliciesCommand } from './policies/command.ts'
import { LambdaProgressCommand } from './progress/command.ts'
import { LambdaRenderCommand } from './render/command.ts'
import { LambdaRenderBatchCommand } from './render-batch/command.ts'
import { LambdaSitesCreateCommand } from './sites-create/command.ts'
import { LambdaSitesListCommand } from './sites-list/command.ts'
import { LambdaStopCommand } from './stop/command.ts'

/** Every command of `vid lambda`. */
export const lambdaCommands: readonly CommandType[] = [
  LambdaDeployCommand,
  LambdaPackageCommand,
  LambdaSitesCreateCommand,
  LambdaSitesListCommand,
  LambdaRenderCommand,
  LambdaRenderBatchCommand,
  LambdaListCommand,
  LambdaProgressCommand,
  LambdaLogsCommand,
  LambdaStopCommand,
  LambdaPoliciesCommand,
  LambdaDestroyCommand,
]
