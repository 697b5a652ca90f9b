import type { FlagTable } from '../../flags/flag.ts'
import { renderFlags } from '../render/flags.ts'

/** Every flag of `vid doctor`. */
export const doctorFlags = {
  fix: { kind: 'switch', about: 'mend what can be mended safely without root, and say what was done' },
  preset: renderFlags.preset,
  target: renderFlags.target,
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: renderFlags.quiet,
} as const satisfies FlagTable
