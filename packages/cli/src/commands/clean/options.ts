import { type OptionTable, renderOptions } from '@vid/command'

/** Every option of `vid clean`. */
export const cleanOptions = {
  preset: renderOptions.preset,
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: renderOptions.quiet,
} as const satisfies OptionTable
