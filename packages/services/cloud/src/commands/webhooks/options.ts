import type { OptionTable } from '@vid/command'
import { adminOptions } from '../admin/options.ts'

/** Every option of `vid cloud webhooks list`. */
export const webhooksListOptions = {
  account: { kind: 'text', rule: 'an id or e-mail address', about: 'only the deliveries of this account' },
  failed: { kind: 'switch', about: 'only failed deliveries' },
  limit: { kind: 'integer', min: 1, max: 10_000, about: 'maximum number of deliveries', default: '100' },
  ...adminOptions,
} as const satisfies OptionTable

/** Every option of `vid cloud webhooks secret`. */
export const secretOptions = {
  rotate: { kind: 'switch', about: 'create a new secret, which signs the next delivery' },
  ...adminOptions,
} as const satisfies OptionTable
