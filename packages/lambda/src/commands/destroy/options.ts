import { type OptionTable, outputOptions } from '@vid/command'
import { stackOptions } from '../shared/options.ts'

/** Every option of `vid lambda destroy`. */
export const lambdaDestroyOptions = {
  ...stackOptions,
  empty: {
    kind: 'choice',
    choices: ['work', 'all'],
    about: 'what is removed from the bucket: what can be made again, or everything, the results of renders too',
    default: 'nothing',
  },
  confirm: { kind: 'switch', about: 'ask first, --no-confirm to begin at once', default: 'on' },
  ...outputOptions,
} as const satisfies OptionTable
