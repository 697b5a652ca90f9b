import type { FlagTable } from '../../../flags/flag.ts'
import { adminFlags } from '../admin/flags.ts'

/** Every flag of `vid cloud keys create`. */
export const createFlags = {
  name: { kind: 'text', rule: 'a name', about: 'what the key is for' },
  ...adminFlags,
} as const satisfies FlagTable

/** Every flag of `vid cloud keys list`. */
export const listFlags = {
  account: { kind: 'text', rule: 'an id or e-mail address', about: 'only the keys of this account' },
  ...adminFlags,
} as const satisfies FlagTable
