import { outputFlags } from '../../../cloud/flags.ts'
import type { FlagTable } from '../../../flags/flag.ts'

/** Every flag of `vid auth login`. */
export const authLoginFlags = {
  'api-key': {
    kind: 'switch',
    about: 'store a key, which is asked for without being shown, or read from stdin',
  },
  browser: {
    kind: 'switch',
    about: 'open the browser, --no-browser to print the address only',
    default: 'on',
  },
  ...outputFlags,
} as const satisfies FlagTable
