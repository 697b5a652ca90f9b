import type { OptionTable } from '@vid/command'
import { adminOptions } from '../admin/options.ts'
import { serverPlaceOptions } from '../serve/options.ts'

/** Every option of `vid cloud backup` and `vid cloud restore`. */
export const backupOptions = { storage: serverPlaceOptions.storage, ...adminOptions } as const satisfies OptionTable
