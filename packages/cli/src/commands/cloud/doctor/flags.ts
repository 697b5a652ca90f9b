import type { FlagTable } from '../../../flags/flag.ts'
import { adminFlags } from '../admin/flags.ts'
import { placeFlags } from '../serve/flags.ts'

/** Every flag of `vid cloud doctor`. */
export const doctorFlags = {
  sweep: { kind: 'switch', about: 'remove at once what nobody needs any more, and count what is left of it' },
  storage: placeFlags.storage,
  ...adminFlags,
} as const satisfies FlagTable
