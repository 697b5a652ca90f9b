import { type OptionTable, outputOptions, renderOptions } from '@vid/command'
import { followOptions, lambdaRenderOptions, stackPlaceOptions } from '../shared/options.ts'

/** Every option of `vid lambda render`. */
export const lambdaRenderCommandOptions = {
  ...lambdaRenderOptions,
  variables: renderOptions.variables,
  'variables-file': {
    ...renderOptions['variables-file'],
    about: 'JSON file with values of variables; the command uploads a file that is too large for the workflow',
  },
  'output-key': {
    kind: 'text',
    rule: 'a key of the bucket',
    about: 'key of the result in the bucket, where it never expires',
    default: 'outputs/<renderId>.<format>',
  },
  wait: { kind: 'switch', about: 'follow the render to its end; without it, print the handle at once' },
  output: {
    ...renderOptions.output,
    about: 'with --wait: path to download the result to; a folder for png-sequence and hls',
    default: 'it stays in the bucket',
  },
  force: renderOptions.force,
  estimate: { kind: 'switch', about: 'estimate the cost of the render, and start nothing' },
  ...followOptions,
  ...stackPlaceOptions,
  ...outputOptions,
} as const satisfies OptionTable

type Name = keyof typeof lambdaRenderCommandOptions

/** Pairs of options that contradict each other, in addition to those of the render settings. */
export const lambdaRenderConflicts: readonly (readonly [Name, Name])[] = [
  ['variables', 'variables-file'],
  ['estimate', 'wait'],
]

/** Options, each with the option that it requires. */
export const lambdaRenderNeeds: readonly (readonly [Name, Name])[] = [
  ['output', 'wait'],
  ['poll-interval', 'wait'],
  ['force', 'output'],
]
