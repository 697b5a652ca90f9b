import type { FlagTable } from '../../flags/flag.ts'
import { renderFlags } from '../render/flags.ts'

const QUALITY = '(draft|standard|high)'

/** Every flag of `vid benchmark`. */
export const benchmarkFlags = {
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
  format: renderFlags.format,
  fps: renderFlags.fps,
  composition: renderFlags.composition,
  variables: renderFlags.variables,
  'variables-file': renderFlags['variables-file'],
  preset: renderFlags.preset,
  target: renderFlags.target,
  json: renderFlags.json,
  quiet: renderFlags.quiet,
} as const satisfies FlagTable
