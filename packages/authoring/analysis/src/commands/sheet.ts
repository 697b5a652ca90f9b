import { basename, join, resolve } from 'node:path'
import { countedProgress, defineCommand, type OptionTable, renderOptions, shortPath } from '@vid/command'
import { TIME_PATTERN, TIMES_PATTERN, TIMES_RULE } from '@vid/protocol'
import {
  compositionConflicts,
  compositionOptions,
  compositionSettings,
  lookAtComposition,
  stateOption,
  withStateText,
} from '../options.ts'
import type { StillChoice } from '../stills/choose-stills.ts'

const options = {
  frames: { kind: 'integer', min: 1, max: 200, about: 'stills, evenly spread over the length', default: '12' },
  every: {
    kind: 'text',
    rule: 'a time such as 1s, 500ms or 30f',
    pattern: new RegExp(`^(${TIME_PATTERN})$`),
    about: 'a still at each multiple of a time',
  },
  at: {
    kind: 'text',
    rule: TIMES_RULE,
    pattern: new RegExp(`^${TIMES_PATTERN}$`),
    about: 'stills at these times',
  },
  changes: { kind: 'switch', about: 'a still of each distinct state of the composition' },
  'per-clip': { kind: 'switch', about: 'a still from the middle of each clip' },
  zoom: {
    kind: 'text',
    rule: 'a CSS selector',
    about: 'show an element with some margin instead of the whole picture',
  },
  rows: {
    kind: 'text',
    rule: 'a path',
    about: 'table or JSON with rows of a batch: a row of stills for each',
    path: 'read',
  },
  width: { kind: 'integer', min: 320, max: 8192, about: 'pixels of the sheet from left to right', default: '1568' },
  output: { ...renderOptions.output, about: 'the PNG; further pages get a number', default: 'sheets/<name>.png' },
  force: renderOptions.force,
  ...stateOption,
  ...compositionOptions,
} as const satisfies OptionTable

/** `vid sheet [dir]`. */
export const sheetCommand = defineCommand({
  path: 'sheet',
  summary: 'Draw labelled stills of a composition on one sheet.',
  details:
    'Captures frames of index.html of a folder (default: the current one) as a render does, draws them with their times on one PNG, or on several where they do not fit, and prints its path.',
  arguments: [{ name: 'dir', default: '.', path: 'read' }],
  options,
  conflicts: [
    ...compositionConflicts,
    ['frames', 'every'],
    ['frames', 'at'],
    ['frames', 'changes'],
    ['frames', 'per-clip'],
    ['every', 'at'],
    ['every', 'changes'],
    ['every', 'per-clip'],
    ['at', 'changes'],
    ['at', 'per-clip'],
    ['changes', 'per-clip'],
  ],
  examples: [
    ['Twelve stills of the folder "intro"', 'vid sheet intro'],
    ['Every distinct state', 'vid sheet intro --changes'],
    ['How the title looks for each row of a batch', "vid sheet intro --rows people.json --at 1s --zoom '#title'"],
  ],
  run: (run) =>
    lookAtComposition(run, run.arguments.dir, async (renderer, state) => {
      const [{ placeOutput, readVariableRows }, { makeSheet }] = await Promise.all([
        import('@vid/render'),
        import('../stills/make-sheet.ts'),
      ])
      const { cwd, env, report } = run
      const { signal } = state
      const { every, at, changes, frames = 12, zoom, rows, width = 1568, force = false } = run.options
      const projectDir = resolve(cwd, run.arguments.dir)
      const choice: StillChoice =
        every !== undefined
          ? { kind: 'every', every }
          : at !== undefined
            ? { kind: 'at', at }
            : changes
              ? { kind: 'changes' }
              : run.options['per-clip']
                ? { kind: 'per-clip' }
                : { kind: 'spread', count: frames }
      const output = run.options.output ?? join('sheets', `${basename(projectDir) || 'video'}.png`)
      const inputs = [join(projectDir, run.options.composition ?? 'index.html'), ...(rows === undefined ? [] : [rows])]
      const rules = { output, format: 'png', formats: ['png'], isFormatChosen: true, force, inputs, projectDir }
      const { path } = await placeOutput(rules, cwd)
      const progress = countedProgress(run.progress, {
        doing: 'capturing',
        text: (done, total) => `${done}/${total} stills`,
      })
      const place = { projectDir, ...(run.options.composition !== undefined && { entry: run.options.composition }) }
      const listed = rows === undefined ? undefined : await readVariableRows(rows, place, { cwd, signal })
      const settings = {
        composition: { ...compositionSettings(run, state.projectDir), ...(force && { force }) },
        choice,
        ...(zoom !== undefined && { zoom }),
        ...(listed && { rows: listed.map(({ variables }) => variables) }),
        width,
        output: path,
        env,
      }
      const sheet = await makeSheet(renderer, settings, {
        signal,
        onTile: run.progress.isLive ? progress : () => {},
        onWarning: report.warn,
        onConsole: report.console,
      })
      run.progress.clear()
      return sheet
    }),
  tool: {
    title: 'Look at stills of a composition',
    effect: 'reads',
    defaults: { force: true, state: 'staged' },
    lists: ['tiles'],
    pictures: ({ pages }) => pages.map(({ path }) => path),
    isLong: true,
  },
  text: (sheet, { cwd }) =>
    withStateText(
      sheet.pages.map(({ path }) => shortPath(path, cwd)),
      sheet,
    ),
})
