import type { FlagTable } from '../../../flags/flag.ts'
import { adminFlags } from '../admin/flags.ts'

const MAX_WEIGHT = 1000

/** Every flag of `vid cloud accounts create`. */
export const createFlags = {
  email: { kind: 'text', rule: 'an e-mail address', about: 'for the sign-in page' },
  name: { kind: 'text', rule: 'a name', about: 'what to call it' },
  password: {
    kind: 'switch',
    about: 'ask for a password for the sign-in page, or read it from stdin: at least 12 characters',
  },
  weight: {
    kind: 'integer',
    min: 1,
    max: MAX_WEIGHT,
    about: 'share of the workers, compared with other accounts',
    default: '1',
  },
  ...adminFlags,
} as const satisfies FlagTable
