import type { FlagTable } from '../../../flags/flag.ts'
import { followFlags, lambdaRenderFlags, outputFlags, placeFlags } from '../../../lambda/flags.ts'
import { renderFlags } from '../../render/flags.ts'

/** Every flag of `vid lambda render`. */
export const lambdaRenderCommandFlags = {
  ...lambdaRenderFlags,
  variables: renderFlags.variables,
  'variables-file': {
    ...renderFlags['variables-file'],
    about: 'JSON file with values of variables; one that is too large for the workflow goes to the bucket',
  },
  'output-key': {
    kind: 'text',
    rule: 'a key of the bucket',
    about: 'key of the result in the bucket, where it never expires',
    default: 'outputs/<renderId>.<format>',
  },
  wait: { kind: 'switch', about: 'follow the render to its end; without it, the handle is printed at once' },
  output: {
    ...renderFlags.output,
    about: 'with --wait: fetches the result to here; a folder for png-sequence',
    default: 'it stays in the bucket',
  },
  force: renderFlags.force,
  estimate: { kind: 'switch', about: 'print what the render may cost, and start nothing' },
  ...followFlags,
  ...placeFlags,
  ...outputFlags,
} as const satisfies FlagTable

type Name = keyof typeof lambdaRenderCommandFlags

/** Pairs of flags that contradict each other, beside the settings that do. */
export const lambdaRenderConflicts: readonly (readonly [Name, Name])[] = [
  ['variables', 'variables-file'],
  ['estimate', 'wait'],
]

/** Flags, each with the one it belongs to. */
export const lambdaRenderNeeds: readonly (readonly [Name, Name])[] = [
  ['output', 'wait'],
  ['poll-interval', 'wait'],
  ['force', 'output'],
]
