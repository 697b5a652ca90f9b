import { withChosenState, withStateText } from '@vid/analysis/options'
import { defineCommand, shortPath } from '@vid/command'
import { snapshotConflicts, snapshotOptions } from './options.ts'

/** `vid snapshot [dir]`. */
export const snapshotCommand = defineCommand({
  path: 'snapshot',
  summary: 'Take PNG stills of a composition.',
  details:
    'Captures single frames of index.html of a folder (default: the current one), as a render would, and prints their paths.',
  arguments: [{ name: 'dir', default: '.', path: 'read' }],
  options: snapshotOptions,
  conflicts: snapshotConflicts,
  examples: [
    ['At two times and in the middle', 'vid snapshot intro --at 1s,2.5s,50%'],
    ['Nine, evenly spread', 'vid snapshot intro --frames 9 -o stills'],
  ],
  event: 'snapshot-complete',
  run: (run) =>
    withChosenState(run, run.arguments.dir, async (state) => (await import('./run.ts')).runSnapshot(run, state)),
  tool: {
    title: 'Take stills',
    effect: 'reads',
    defaults: { force: true, state: 'staged' },
    lists: ['snapshots'],
    pictures: ({ snapshots }) => snapshots.map(({ path }) => path),
    isLong: true,
  },
  text: (result, { cwd }) =>
    withStateText(
      result.snapshots.map(({ path }) => shortPath(path, cwd)),
      result,
    ),
})
