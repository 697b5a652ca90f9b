import { type OptionTable, outputOptions } from '@vid/command'
import { stackOptions } from '../shared/options.ts'

/** Every option of `vid lambda policies`. */
export const lambdaPoliciesOptions = { stack: stackOptions.stack, ...outputOptions } as const satisfies OptionTable
