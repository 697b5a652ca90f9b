import { type OptionTable, outputOptions } from '@vid/command'
import { lambdaRenderOptions, placeOptions } from '../shared/options.ts'

const { bucket, stack, region } = placeOptions

/** Every option of `vid lambda sites create`. */
export const lambdaSitesCreateOptions = {
  composition: lambdaRenderOptions.composition,
  bucket,
  stack,
  region,
  ...outputOptions,
} as const satisfies OptionTable
