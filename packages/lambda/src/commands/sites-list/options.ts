import { type OptionTable, outputOptions } from '@vid/command'
import { placeOptions } from '../shared/options.ts'

const { bucket, stack, region } = placeOptions

/** Every option of `vid lambda sites list`. */
export const lambdaSitesListOptions = {
  bucket,
  stack,
  region,
  ...outputOptions,
} as const satisfies OptionTable
