import { defineCommand } from '@vid/command'
import { lintOptions } from './options.ts'

/** `vid lint [dir]`. */
export const lintCommand = defineCommand({
  path: 'lint',
  summary: 'Find mistakes in a composition, without a browser.',
  details:
    'Reads index.html of a folder (default: the current one) and everything that it embeds, and prints each finding with its line and a hint. Exits with 1 when there is an error.',
  arguments: [{ name: 'dir', default: '.' }],
  options: lintOptions,
  examples: [
    ['The folder "intro"', 'vid lint intro'],
    ['As it would be rendered with alpha, in CI', 'vid lint intro --format webm --strict'],
  ],
  run: async (run) => (await import('./run.ts')).runLint(run),
  text: async (result, view) => (await import('./lint-text.ts')).lintText(result, view),
  exitCode: ({ ok }) => (ok ? 0 : 1),
})
