import type { FlagTable } from '../../../flags/flag.ts'
import { renderFlags } from '../../render/flags.ts'

/** Every flag of `vid browser install`. */
export const installFlags = {
  force: { kind: 'switch', about: 'download one even where one is embedded' },
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: renderFlags.quiet,
} as const satisfies FlagTable
