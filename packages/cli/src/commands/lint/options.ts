import { type OptionTable, renderOptions } from '@vid/command'

/** Every option of `vid lint`. */
export const lintOptions = {
  composition: renderOptions.composition,
  format: { ...renderOptions.format, about: 'the format that it will be rendered to' },
  strict: { kind: 'switch', about: 'fail on warnings too' },
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: { kind: 'switch', about: 'print errors only' },
} as const satisfies OptionTable
