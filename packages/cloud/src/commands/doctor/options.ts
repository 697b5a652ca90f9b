import type { OptionTable } from '@vid/command'
import { adminOptions } from '../admin/options.ts'
import { placeOptions } from '../serve/options.ts'

/** Every option of `vid cloud doctor`. */
export const doctorOptions = {
  sweep: { kind: 'switch', about: 'remove at once what nobody needs any more, and count what is left of it' },
  storage: placeOptions.storage,
  ...adminOptions,
} as const satisfies OptionTable
