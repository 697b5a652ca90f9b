import { defineCommand } from '@vid/command'
import { renderRules } from '../render/rules.ts'
import { inspectOptions } from './options.ts'

/** `vid inspect [dir]`. */
export const inspectCommand = defineCommand({
  path: 'inspect',
  summary: 'Show what a render would do, and why.',
  details:
    'Takes the flags of vid render. Prints each value with its source, the plugins, the plan (it opens the page once), every tap on every hook, and the time that each took.',
  arguments: [{ name: 'dir', default: '.' }],
  options: inspectOptions,
  ...renderRules,
  examples: [
    ['The folder "intro"', 'vid inspect intro'],
    ['Without opening a browser', 'vid inspect intro --no-plan'],
  ],
  run: async (run) => (await import('./run.ts')).runInspect(run),
  text: async (inspection, { options }) =>
    (await import('./inspect-text.ts')).inspectText(inspection, { isShort: options.short === true }),
})
