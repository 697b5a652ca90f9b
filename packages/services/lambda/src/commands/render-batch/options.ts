import { type OptionTable, renderOptions } from '@vid/command'
import { lambdaRenderOptions, stackPlaceOptions } from '../shared/options.ts'

/** Every option of `vid lambda render-batch`. */
export const lambdaRenderBatchOptions = {
  batch: {
    kind: 'text',
    rule: 'a path',
    about: 'file with one JSON object a line: {"outputKey": …, "variables": {…}}',
  },
  'max-concurrent': {
    kind: 'integer',
    min: 1,
    max: 1000,
    about: 'renders to start at once',
    default: '50',
  },
  'dry-run': {
    kind: 'switch',
    about: 'check everything and start nothing; needs no stack and no credentials',
  },
  ...lambdaRenderOptions,
  variables: { ...renderOptions.variables, about: 'refused: the lines of --batch hold the values' },
  'variables-file': {
    ...renderOptions['variables-file'],
    about: 'refused: the lines of --batch hold the values',
  },
  ...stackPlaceOptions,
  json: { kind: 'switch', about: 'print the rows as one JSON array' },
  quiet: renderOptions.quiet,
} as const satisfies OptionTable

/** Pairs of options that contradict each other, in addition to those of the render settings. */
export const lambdaRenderBatchConflicts = [
  ['batch', 'variables'],
  ['batch', 'variables-file'],
] as const
