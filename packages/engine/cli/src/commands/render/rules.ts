import type { renderOptions } from '@vid/command'

type Name = keyof typeof renderOptions
type Pair = readonly [Name, Name]

/** How the options of a render go together, beside the settings that contradict each other. */
export const renderRules: { readonly conflicts: readonly Pair[]; readonly needs: readonly Pair[] } = {
  conflicts: [
    ['variables', 'variables-file'],
    ['batch', 'variables'],
    ['docker', 'target'],
    ['batch', 'variables-file'],
  ],
  needs: [
    ['batch-columns', 'batch'],
    ['rows', 'batch'],
    ['only-failed', 'batch'],
    ['batch-concurrency', 'batch'],
    ['batch-fail-fast', 'batch'],
    ['batch-retries', 'batch'],
  ],
}

/** Options of a render that assistants have not: what leaves this machine, starts containers, or makes many videos. */
export const notForTools: readonly Name[] = [
  'target',
  'docker',
  'batch',
  'batch-columns',
  'rows',
  'only-failed',
  'shapes',
  'batch-concurrency',
  'batch-fail-fast',
  'batch-retries',
  'max-concurrent-renders',
]
