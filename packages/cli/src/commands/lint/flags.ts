import type { FlagTable } from '../../flags/flag.ts'
import { renderFlags } from '../render/flags.ts'

/** Every flag of `vid lint`. */
export const lintFlags = {
  composition: renderFlags.composition,
  format: { ...renderFlags.format, about: 'the format that it will be rendered to' },
  strict: { kind: 'switch', about: 'fail on warnings too' },
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: { kind: 'switch', about: 'print errors only' },
} as const satisfies FlagTable
