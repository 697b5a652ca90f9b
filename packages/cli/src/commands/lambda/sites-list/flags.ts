import type { FlagTable } from '../../../flags/flag.ts'
import { outputFlags, placeFlags } from '../../../lambda/flags.ts'

const { bucket, stack, region } = placeFlags

/** Every flag of `vid lambda sites list`. */
export const lambdaSitesListFlags = {
  bucket,
  stack,
  region,
  ...outputFlags,
} as const satisfies FlagTable
