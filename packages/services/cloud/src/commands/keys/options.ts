import type { OptionTable } from '@vid/command'
import { adminOptions } from '../admin/options.ts'

/** Every option of `vid cloud keys create`. */
export const keysCreateOptions = {
  name: { kind: 'text', rule: 'a name', about: 'purpose of the key' },
  ...adminOptions,
} as const satisfies OptionTable

/** Every option of `vid cloud keys list`. */
export const keysListOptions = {
  account: { kind: 'text', rule: 'an id or e-mail address', about: 'only the keys of this account' },
  ...adminOptions,
} as const satisfies OptionTable
