import type { FlagTable } from '../../../flags/flag.ts'
import { adminFlags } from '../admin/flags.ts'
import { placeFlags } from '../serve/flags.ts'

/** Every flag of `vid cloud backup` and `vid cloud restore`. */
export const backupFlags = { storage: placeFlags.storage, ...adminFlags } as const satisfies FlagTable
