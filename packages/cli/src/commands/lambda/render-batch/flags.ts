import type { FlagTable } from '../../../flags/flag.ts'
import { lambdaRenderFlags, placeFlags } from '../../../lambda/flags.ts'
import { renderFlags } from '../../render/flags.ts'

/** Every flag of `vid lambda render-batch`. */
export const lambdaRenderBatchFlags = {
  batch: {
    kind: 'text',
    rule: 'a path',
    about: 'file with one JSON object a line: {"outputKey": …, "variables": {…}}',
  },
  'max-concurrent': {
    kind: 'integer',
    min: 1,
    max: 1000,
    about: 'renders that are being started at once',
    default: '50',
  },
  'dry-run': {
    kind: 'switch',
    about: 'check everything and start nothing; needs no stack and no credentials',
  },
  ...lambdaRenderFlags,
  variables: { ...renderFlags.variables, about: 'refused: values stand in the lines of --batch' },
  'variables-file': {
    ...renderFlags['variables-file'],
    about: 'refused: values stand in the lines of --batch',
  },
  ...placeFlags,
  json: { kind: 'switch', about: 'print the rows as one JSON array' },
  quiet: renderFlags.quiet,
} as const satisfies FlagTable

/** Pairs of flags that contradict each other, beside the settings that do. */
export const lambdaRenderBatchConflicts = [
  ['batch', 'variables'],
  ['batch', 'variables-file'],
] as const
