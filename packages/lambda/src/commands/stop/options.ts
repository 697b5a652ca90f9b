import { type OptionTable, outputOptions } from '@vid/command'
import { placeOptions } from '../shared/options.ts'

/** Every option of `vid lambda stop`. */
export const lambdaStopOptions = { ...placeOptions, ...outputOptions } as const satisfies OptionTable
