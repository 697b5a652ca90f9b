import type { FlagTable } from '../../flags/flag.ts'
import { renderFlags } from '../render/flags.ts'

/** Every flag of `vid import`. */
export const importFlags = {
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: renderFlags.quiet,
} as const satisfies FlagTable
