import { defineCommand, type OptionTable, renderOptions, settingsOf } from '@vid/command'

const lintOptions = {
  composition: renderOptions.composition,
  format: { ...renderOptions.format, about: 'the format that it will be rendered to' },
  strict: { kind: 'switch', about: 'fail on warnings too' },
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
  async run(run) {
    const { countFindings, lintFolder, openContext } = await import('@vid/render')
    const { cwd, env, signal, options, spelling, unguarded } = run
    const open = await openContext({ cwd, env, spelling, loading: unguarded })
    const settings = { ...settingsOf(lintOptions, options), projectDir: run.arguments.dir }
    const findings = await lintFolder(settings, open, signal)
    const counts = countFindings(findings)
    const ok = counts.errors === 0 && !(options.strict === true && counts.warnings > 0)
    return { ok, ...counts, findings }
  },
  tool: { title: 'Find mistakes in the source of a composition', effect: 'reads', lists: ['findings'] },
  text: async (result, view) => (await import('./lint-text.ts')).lintText(result, view),
  exitCode: ({ ok }) => (ok ? 0 : 1),
})
