import { type OptionTable, outputOptions } from '@vid/command'
import { stackOptions } from '../shared/options.ts'

/** Every option of `vid lambda destroy`. */
export const lambdaDestroyOptions = {
  ...stackOptions,
  empty: {
    kind: 'choice',
    choices: ['work', 'all'],
    about: 'content to remove from the bucket: what can be rendered again, or everything, including results',
    default: 'nothing',
  },
  confirm: { kind: 'switch', about: 'ask first, --no-confirm to start at once', default: 'on' },
  ...outputOptions,
} as const satisfies OptionTable
