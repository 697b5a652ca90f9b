import { compositionConflicts, withStateText } from '@vid/analysis/options'
import { defineCommand } from '@vid/command'
import type { FindingsView } from '../findings/check-text.ts'
import { checkOptions } from './options.ts'

/** `vid check [dir]`. */
export const checkCommand = defineCommand({
  path: 'check',
  summary: 'Find what is wrong in a composition: text, contrast, picture, motion and sound.',
  details:
    'Goes through every frame of index.html of a folder (default: the current one) in the browser of a render, and prints each finding with its time, its place and a hint. Exits with 1 when there is an error.',
  arguments: [{ name: 'dir', default: '.', path: 'read' }],
  options: checkOptions,
  conflicts: [
    ...compositionConflicts,
    ['baseline', 'write-baseline'],
    ['watch', 'write-baseline'],
    ['watch', 'sarif'],
    ['watch', 'sheet'],
    ['watch', 'state'],
    ['variables-extremes', 'batch'],
  ],
  needs: [['width', 'sheet']],
  examples: [
    ['The folder "intro"', 'vid check intro'],
    ['What is new and what is mended, after each save', 'vid check intro --watch'],
    ['With the longest and shortest values, in pictures', 'vid check intro --variables-extremes --sheet findings.png'],
    ['For YouTube, in CI', 'vid check intro --safe youtube-shorts --loudness=-14 --sarif check.sarif'],
  ],
  run: async (run) => (await import('./run-check.ts')).runCheck(run),
  tool: {
    title: 'Find what is wrong',
    effect: 'reads',
    without: ['watch', 'write-baseline'],
    defaults: { state: 'staged' },
    lists: ['findings'],
    pages: async () => (await import('../rules/rule-page.ts')).checkRulePages(),
    pictures: ({ sheet }) => sheet,
    changes: async (before, after) => (await import('../watch/changes-text.ts')).changesText(before, after),
    isLong: true,
  },
  text: async (result, { arguments: { dir }, options: { composition }, paint, quiet, isForAssistant }) => {
    const [{ checkResultText }, { mendCommand }] = await Promise.all([
      import('../findings/check-text.ts'),
      import('../findings/mend-command.ts'),
    ])
    const mendText: FindingsView['mendText'] = (mend) =>
      isForAssistant ? JSON.stringify(mend) : mendCommand(mend, { dir, composition })
    return withStateText(checkResultText(result, { paint, quiet, mendText }), result)
  },
  exitCode: ({ ok }) => (ok ? 0 : 1),
})
