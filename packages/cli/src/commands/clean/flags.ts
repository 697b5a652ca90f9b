import type { FlagTable } from '../../flags/flag.ts'
import { renderFlags } from '../render/flags.ts'

/** Every flag of `vid clean`. */
export const cleanFlags = {
  preset: renderFlags.preset,
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: renderFlags.quiet,
} as const satisfies FlagTable
