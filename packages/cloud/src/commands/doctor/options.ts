import type { OptionTable } from '@vid/command'
import { adminOptions } from '../admin/options.ts'
import { placeOptions } from '../serve/options.ts'

/** Every option of `vid cloud doctor`. */
export const doctorOptions = {
  sweep: { kind: 'switch', about: 'remove unneeded files at once, and count the remaining ones' },
  storage: placeOptions.storage,
  ...adminOptions,
} as const satisfies OptionTable
