import { commandsWith } from '@vid/command'
import { lambdaDeployCommand } from './deploy.ts'
import { lambdaDestroyCommand } from './destroy/command.ts'
import { lambdaListCommand } from './list/command.ts'
import { lambdaLogsCommand } from './logs/command.ts'
import { lambdaPackageCommand } from './package.ts'
import { lambdaPoliciesCommand } from './policies.ts'
import { lambdaProgressCommand } from './progress/command.ts'
import { lambdaRenderCommand } from './render/command.ts'
import { lambdaRenderBatchCommand } from './render-batch/command.ts'
import { lambdaEvents } from './shared/lambda-events.ts'
import { lambdaSitesCreateCommand } from './sites-create.ts'
import { lambdaSitesListCommand } from './sites-list/command.ts'
import { lambdaStopCommand } from './stop.ts'
import { lambdaTemplateCommand } from './template.ts'

/** The commands of this package. */
const commands = commandsWith(lambdaEvents, [
  lambdaDeployCommand,
  lambdaPackageCommand,
  lambdaSitesCreateCommand,
  lambdaSitesListCommand,
  lambdaRenderCommand,
  lambdaRenderBatchCommand,
  lambdaListCommand,
  lambdaProgressCommand,
  lambdaLogsCommand,
  lambdaStopCommand,
  lambdaPoliciesCommand,
  lambdaTemplateCommand,
  lambdaDestroyCommand,
])

export default commands
