import type { FlagTable } from '../../../flags/flag.ts'
import { followFlags, outputFlags, placeFlags } from '../../../lambda/flags.ts'
import { lambdaRenderCommandFlags } from '../render/flags.ts'

const { output, force } = lambdaRenderCommandFlags

/** Every flag of `vid lambda progress`. */
export const lambdaProgressFlags = {
  wait: { kind: 'switch', about: 'follow the render to its end' },
  output,
  force,
  ...followFlags,
  ...placeFlags,
  ...outputFlags,
} as const satisfies FlagTable

type Name = keyof typeof lambdaProgressFlags

/** Flags, each with the one it belongs to. */
export const lambdaProgressNeeds: readonly (readonly [Name, Name])[] = [
  ['output', 'wait'],
  ['poll-interval', 'wait'],
  ['force', 'output'],
]
