import type { FlagTable } from '../../flags/flag.ts'
import { renderFlags } from '../render/flags.ts'
import { DEFAULT_TEMPLATE, type TemplateName, templates } from './templates.ts'

/** Every flag of `vid init`. */
export const initFlags = {
  template: {
    kind: 'choice',
    choices: Object.keys(templates) as readonly TemplateName[],
    about: 'what the project begins as',
    default: DEFAULT_TEMPLATE,
  },
  list: { kind: 'switch', about: 'show the templates and make nothing' },
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: renderFlags.quiet,
} as const satisfies FlagTable
