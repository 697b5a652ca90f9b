import { type OptionTable, renderOptions } from '@vid/command'
import { DEFAULT_TEMPLATE, type TemplateName, templates } from './templates.ts'

/** Every option of `vid init`. */
export const initOptions = {
  template: {
    kind: 'choice',
    choices: Object.keys(templates) as readonly TemplateName[],
    about: 'template of the project',
    default: DEFAULT_TEMPLATE,
  },
  list: { kind: 'switch', about: 'list the templates and create nothing' },
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: renderOptions.quiet,
} as const satisfies OptionTable
