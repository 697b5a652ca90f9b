import { type OptionTable, outputOptions } from '@vid/command'
import { lambdaRenderCommandOptions } from '../render/options.ts'
import { followOptions, stackPlaceOptions } from '../shared/options.ts'

const { output, force } = lambdaRenderCommandOptions

/** Every option of `vid lambda progress`. */
export const lambdaProgressOptions = {
  wait: { kind: 'switch', about: 'follow the render to its end' },
  output,
  force,
  ...followOptions,
  ...stackPlaceOptions,
  ...outputOptions,
} as const satisfies OptionTable

type Name = keyof typeof lambdaProgressOptions

/** Options, each with the option that it requires. */
export const lambdaProgressNeeds: readonly (readonly [Name, Name])[] = [
  ['output', 'wait'],
  ['poll-interval', 'wait'],
  ['force', 'output'],
]
