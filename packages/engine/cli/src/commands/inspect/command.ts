import { defineCommand, type OptionTable, renderOptions } from '@vid/command'
import { notForTools, renderRules } from '../render/rules.ts'

const inspectOptions = {
  ...renderOptions,
  plan: { kind: 'switch', about: 'plan the render, --no-plan to open no browser' },
  short: { kind: 'switch', about: 'only what this render sets, and its size, length and format' },
} as const satisfies OptionTable

/** `vid inspect [dir]`. */
export const inspectCommand = defineCommand({
  path: 'inspect',
  summary: 'Show what a render would do, and why.',
  details:
    'Takes the flags of vid render. Prints each value with its source, the plugins, the plan (it opens the page once), every tap on every hook, and the time that each took.',
  arguments: [{ name: 'dir', default: '.', path: 'read' }],
  options: inspectOptions,
  ...renderRules,
  examples: [
    ['The folder "intro"', 'vid inspect intro'],
    ['Without opening a browser', 'vid inspect intro --no-plan'],
  ],
  async run(run) {
    const [{ inspectRender, openContext }, { renderSettings }] = await Promise.all([
      import('@vid/render'),
      import('../render/settings.ts'),
    ])
    const { cwd, env, signal, options, report, spelling, unguarded } = run
    const open = await openContext({ cwd, env, spelling, loading: unguarded })
    return inspectRender(renderSettings(run), open, { plan: options.plan !== false, signal, onWarning: report.warn })
  },
  tool: {
    title: 'Show what a render would do',
    effect: 'reads',
    without: notForTools,
    defaults: { short: true },
    lists: ['taps', 'plugins', 'timings'],
  },
  text: async (inspection, { options }) =>
    (await import('./inspect-text.ts')).inspectText(inspection, { isShort: options.short === true }),
})
