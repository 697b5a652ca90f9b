import type { FlagTable } from '../../../flags/flag.ts'
import { outputFlags, placeFlags } from '../../../lambda/flags.ts'

/** Every flag of `vid lambda logs`. */
export const lambdaLogsFlags = {
  failed: { kind: 'switch', about: 'only calls that failed or have not ended' },
  ...placeFlags,
  ...outputFlags,
} as const satisfies FlagTable
