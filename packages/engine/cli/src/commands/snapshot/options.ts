import { stateOption } from '@vid/analysis/options'
import { type OptionTable, renderOptions, shapeOption } from '@vid/command'
import { TIMES_PATTERN, TIMES_RULE } from '@vid/protocol'

/** Every option of `vid snapshot`. */
export const snapshotOptions = {
  at: {
    kind: 'text',
    rule: TIMES_RULE,
    pattern: new RegExp(`^${TIMES_PATTERN}$`),
    about: 'times of the stills',
  },
  frames: {
    kind: 'integer',
    min: 1,
    max: 1000,
    about: 'stills, evenly spread over the length',
    default: '5',
  },
  output: {
    ...renderOptions.output,
    about: 'folder of the stills',
    default: 'snapshots/<name>',
  },
  force: renderOptions.force,
  ...stateOption,
  alpha: { kind: 'switch', about: 'make the undrawn area transparent' },
  fps: renderOptions.fps,
  scale: renderOptions.scale,
  resolution: renderOptions.resolution,
  shape: shapeOption,
  composition: renderOptions.composition,
  variables: renderOptions.variables,
  'variables-file': renderOptions['variables-file'],
  strict: renderOptions.strict,
  'strict-variables': renderOptions['strict-variables'],
  'browser-gpu': renderOptions['browser-gpu'],
  raster: renderOptions.raster,
  preset: renderOptions.preset,
  json: renderOptions.json,
  quiet: renderOptions.quiet,
} as const satisfies OptionTable

type Name = keyof typeof snapshotOptions

/** Pairs of options that contradict each other. */
export const snapshotConflicts: readonly (readonly [Name, Name])[] = [
  ['at', 'frames'],
  ['variables', 'variables-file'],
]
