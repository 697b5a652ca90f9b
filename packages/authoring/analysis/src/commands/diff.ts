import { defineCommand } from '@vid/command'
import { compositionConflicts, withStateText } from '../options.ts'
import { diffOptions } from './diff-options.ts'

/** `vid diff A [B]`. */
export const diffCommand = defineCommand({
  path: 'diff',
  summary: 'Find the frames that differ between two versions of a composition.',
  details:
    'Compares two folders, two finished videos, or revisions of a folder. "vid diff HEAD intro" compares the last commit of the folder "intro" with its files now, and so does "vid diff intro". "vid diff v1..v2 intro" compares two revisions. Prints each interval of frames that differ, by how much and in which element, and where the sound differs. What the text of both sides proves equal is not captured. With "--state staged", a folder named second is looked at as its open preview has it staged: "vid diff . . --state staged" shows what is not written yet. Git archives a revision; nothing is checked out.',
  arguments: [
    { name: 'before', default: 'HEAD', path: 'read' },
    { name: 'after', isOptional: true, path: 'read' },
  ],
  options: diffOptions,
  conflicts: compositionConflicts,
  needs: [['width', 'sheet']],
  examples: [
    ['What was changed since the last commit', 'vid diff HEAD'],
    ['Two revisions of the folder "intro", with pictures', 'vid diff v1..v2 intro --sheet changes.png'],
    ['Two finished videos, for a script', 'vid diff old.mp4 new.mp4 --exit-code --quiet'],
  ],
  run: async (run) => (await import('./run-diff.ts')).runDiff(run),
  tool: {
    title: 'Compare two versions of a composition',
    effect: 'reads',
    without: ['exit-code'],
    defaults: { state: 'staged' },
    lists: ['intervals', 'sound'],
    pictures: ({ sheet }) => sheet,
    isLong: true,
  },
  text: async (diff) => withStateText((await import('../diff/diff-text.ts')).diffText(diff), diff),
  exitCode: ({ exitCode }) => exitCode,
})
