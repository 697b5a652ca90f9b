import { type OptionTable, renderOptions } from '@vid/command'

const QUALITY = '(draft|standard|high)'

/** Every option of `vid benchmark`. */
export const benchmarkOptions = {
  runs: { kind: 'integer', min: 1, max: 50, about: 'renders of each kind; the median counts', default: '3' },
  workers: {
    kind: 'text',
    rule: 'whole numbers from 1 to 8, or auto, with commas',
    pattern: /^([1-8]|auto)(,([1-8]|auto))*$/,
    short: 'w',
    about: 'numbers of workers to compare',
    default: 'auto, 1, and what this machine has room for',
  },
  quality: {
    kind: 'text',
    rule: 'draft, standard, high, or several with commas',
    pattern: new RegExp(`^${QUALITY}(,${QUALITY})*$`),
    short: 'q',
    about: 'quality presets to compare',
    default: 'standard',
  },
  format: renderOptions.format,
  fps: renderOptions.fps,
  composition: renderOptions.composition,
  variables: renderOptions.variables,
  'variables-file': renderOptions['variables-file'],
  preset: renderOptions.preset,
  target: renderOptions.target,
  json: renderOptions.json,
  quiet: renderOptions.quiet,
} as const satisfies OptionTable
