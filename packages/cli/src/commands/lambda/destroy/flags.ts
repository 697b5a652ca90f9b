import type { FlagTable } from '../../../flags/flag.ts'
import { outputFlags, stackFlags } from '../../../lambda/flags.ts'

/** Every flag of `vid lambda destroy`. */
export const lambdaDestroyFlags = {
  ...stackFlags,
  empty: {
    kind: 'choice',
    choices: ['work', 'all'],
    about: 'what is removed from the bucket: what can be made again, or everything, the results of renders too',
    default: 'nothing',
  },
  confirm: { kind: 'switch', about: 'ask first, --no-confirm to begin at once', default: 'on' },
  ...outputFlags,
} as const satisfies FlagTable
