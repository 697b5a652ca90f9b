import { type OptionTable, outputOptions } from '@vid/command'
import { stackPlaceOptions } from '../shared/options.ts'

/** Every option of `vid lambda logs`. */
export const lambdaLogsOptions = {
  failed: { kind: 'switch', about: 'only calls that failed or have not ended' },
  ...stackPlaceOptions,
  ...outputOptions,
} as const satisfies OptionTable
