import { type OptionTable, renderOptions } from '@vid/command'

/** Every option of `vid import`. */
export const importOptions = {
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: renderOptions.quiet,
} as const satisfies OptionTable
