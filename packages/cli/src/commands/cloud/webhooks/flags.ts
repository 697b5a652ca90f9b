import type { FlagTable } from '../../../flags/flag.ts'
import { adminFlags } from '../admin/flags.ts'

/** Every flag of `vid cloud webhooks list`. */
export const listFlags = {
  account: { kind: 'text', rule: 'an id or e-mail address', about: 'only the deliveries of this account' },
  failed: { kind: 'switch', about: 'only those that were given up' },
  limit: { kind: 'integer', min: 1, max: 10_000, about: 'at most so many, the latest', default: '100' },
  ...adminFlags,
} as const satisfies FlagTable

/** Every flag of `vid cloud webhooks secret`. */
export const secretFlags = {
  rotate: { kind: 'switch', about: 'make another one, which the next delivery is signed with' },
  ...adminFlags,
} as const satisfies FlagTable
