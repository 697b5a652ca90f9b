import { stateOption, withChosenState, withStateText } from '@vid/analysis/options'
import { defineCommand, type OptionTable, renderOptions, settingsOf } from '@vid/command'

const lintOptions = {
  composition: renderOptions.composition,
  format: { ...renderOptions.format, about: 'the format that it will be rendered to' },
  strict: { kind: 'switch', about: 'fail on warnings too' },
  ...stateOption,
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: { kind: 'switch', about: 'print errors only' },
} as const satisfies OptionTable

/** `vid lint [dir]`. */
export const lintCommand = defineCommand({
  path: 'lint',
  summary: 'Find mistakes in a composition, without a browser.',
  details:
    'Reads index.html of a folder (default: the current one) and everything that it embeds, and prints each finding with its line and a hint. Exits with 1 when there is an error.',
  arguments: [{ name: 'dir', default: '.', path: 'read' }],
  options: lintOptions,
  examples: [
    ['The folder "intro"', 'vid lint intro'],
    ['As it would be rendered with alpha, in CI', 'vid lint intro --format webm --strict'],
  ],
  run: (run) =>
    withChosenState(run, run.arguments.dir, async ({ projectDir, configFrom, signal }) => {
      const { countFindings, lintFolder, openContext } = await import('@vid/render')
      const { cwd, env, options, spelling, unguarded } = run
      const open = await openContext({ cwd, env, spelling, loading: unguarded, configFrom })
      const findings = await lintFolder({ ...settingsOf(lintOptions, options), projectDir }, open, signal)
      const counts = countFindings(findings)
      const ok = counts.errors === 0 && !(options.strict === true && counts.warnings > 0)
      return { ok, ...counts, findings }
    }),
  tool: {
    title: 'Find mistakes in the source',
    effect: 'reads',
    defaults: { state: 'staged' },
    lists: ['findings'],
    pages: async () => {
      const { lintRulePage, lintRules } = await import('@vid/core/lint')
      return Object.fromEntries(lintRules.map((rule) => [`lint/${rule.name}`, lintRulePage(rule)]))
    },
  },
  text: async (result, view) => withStateText((await import('./lint-text.ts')).lintText(result, view), result),
  exitCode: ({ ok }) => (ok ? 0 : 1),
})
