import type { FlagTable } from '../../../flags/flag.ts'
import { outputFlags, placeFlags } from '../../../lambda/flags.ts'

/** Every flag of `vid lambda stop`. */
export const lambdaStopFlags = { ...placeFlags, ...outputFlags } as const satisfies FlagTable
