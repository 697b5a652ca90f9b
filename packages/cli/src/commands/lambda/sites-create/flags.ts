import type { FlagTable } from '../../../flags/flag.ts'
import { lambdaRenderFlags, outputFlags, placeFlags } from '../../../lambda/flags.ts'

const { bucket, stack, region } = placeFlags

/** Every flag of `vid lambda sites create`. */
export const lambdaSitesCreateFlags = {
  composition: lambdaRenderFlags.composition,
  bucket,
  stack,
  region,
  ...outputFlags,
} as const satisfies FlagTable
