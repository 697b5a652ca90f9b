import { defineCommand } from '@vid/command'
import { benchmarkOptions } from './options.ts'

/** `vid benchmark [dir]`. */
export const benchmarkCommand = defineCommand({
  path: 'benchmark',
  summary: 'Measure how fast a composition renders on this machine.',
  details:
    'Renders index.html of a folder (default: the current one) several times, with each number of workers and each quality, and prints medians and the fastest setting. It keeps and delivers nothing, and does not use the cache.',
  arguments: [{ name: 'dir', default: '.' }],
  options: benchmarkOptions,
  conflicts: [['variables', 'variables-file']],
  examples: [
    ['The folder "intro"', 'vid benchmark intro'],
    ['One and two workers, as a draft', 'vid benchmark intro --workers 1,2 --quality draft'],
  ],
  event: 'benchmark-complete',
  run: async (run) => (await import('./run.ts')).runBenchmark(run),
  text: async (result) => (await import('./benchmark-text.ts')).benchmarkText(result),
})
