import { outputFlags } from '../../../cloud/flags.ts'
import type { FlagTable } from '../../../flags/flag.ts'

/** Every flag of `vid cloud delete`. */
export const cloudDeleteFlags = {
  confirm: { kind: 'switch', about: 'ask first, --no-confirm to delete at once', default: 'on' },
  ...outputFlags,
} as const satisfies FlagTable
