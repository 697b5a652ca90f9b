import { defineCommand, type OptionTable } from '@vid/command'
import { TIME_PATTERN } from '@vid/protocol'
import {
  compositionConflicts,
  compositionOptions,
  compositionSettings,
  lookAtComposition,
  stateOption,
  withStateText,
} from '../options.ts'

const options = {
  at: {
    kind: 'text',
    rule: 'a time such as 3.2s, 50%, 90f or 1:30',
    pattern: new RegExp(`^(${TIME_PATTERN})$`),
    about: 'list the visible elements at that time, with their boxes',
  },
  sound: { kind: 'switch', about: 'print the sound alone: its levels, all onsets, and where it is silent or loud' },
  ...stateOption,
  ...compositionOptions,
} as const satisfies OptionTable

/** `vid timeline [dir]`. */
export const timelineCommand = defineCommand({
  path: 'timeline',
  summary: 'Show the timeline of a composition: clips, animations, states and sound.',
  details:
    'Opens the page of index.html of a folder (default: the current one) once, and prints its clips with their places in the source, media, animations, sound and variables in a chart of 80 columns. Embedded compositions are unfolded in the time of the whole.',
  arguments: [{ name: 'dir', default: '.', path: 'read' }],
  options,
  conflicts: compositionConflicts,
  examples: [
    ['The folder "intro"', 'vid timeline intro'],
    ['What is on screen after 3.2 seconds', 'vid timeline intro --at 3.2s'],
    ['How loud it is', 'vid timeline intro --sound'],
    ['All of it for a program', 'vid timeline intro --json'],
  ],
  run: (run) =>
    lookAtComposition(run, run.arguments.dir, async (renderer, { projectDir, signal }) => {
      const { readTimeline } = await import('../timeline/read-timeline.ts')
      const { report } = run
      const { at } = run.options
      const settings = { ...compositionSettings(run, projectDir), ...(at !== undefined && { at }) }
      return readTimeline(renderer, settings, { signal, onWarning: report.warn, onConsole: report.console })
    }),
  tool: {
    title: 'Read a timeline',
    effect: 'reads',
    defaults: { state: 'staged' },
    lists: ['clips', 'motions', 'media', 'variables'],
  },
  text: async (composition, { options }) => {
    const { soundText, timelineText } = await import('../timeline/timeline-text.ts')
    return withStateText(options.sound ? soundText(composition) : timelineText(composition), composition)
  },
})
