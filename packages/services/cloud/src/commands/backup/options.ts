import type { OptionTable } from '@vid/command'
import { adminOptions } from '../admin/options.ts'
import { placeOptions } from '../serve/options.ts'

/** Every option of `vid cloud backup` and `vid cloud restore`. */
export const backupOptions = { storage: placeOptions.storage, ...adminOptions } as const satisfies OptionTable
