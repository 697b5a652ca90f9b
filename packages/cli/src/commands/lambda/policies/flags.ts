import type { FlagTable } from '../../../flags/flag.ts'
import { outputFlags, stackFlags } from '../../../lambda/flags.ts'

/** Every flag of `vid lambda policies`. */
export const lambdaPoliciesFlags = { stack: stackFlags.stack, ...outputFlags } as const satisfies FlagTable
