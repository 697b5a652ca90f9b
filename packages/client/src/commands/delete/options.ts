import { type OptionTable, outputOptions } from '@vid/command'

/** Every option of `vid cloud delete`. */
export const cloudDeleteOptions = {
  confirm: { kind: 'switch', about: 'ask first, --no-confirm to delete at once', default: 'on' },
  ...outputOptions,
} as const satisfies OptionTable
