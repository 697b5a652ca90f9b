import { type OptionTable, renderOptions } from '@vid/command'

/** Every option of `vid browser install`. */
export const installOptions = {
  force: { kind: 'switch', about: 'download it even if one is embedded' },
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: renderOptions.quiet,
} as const satisfies OptionTable
