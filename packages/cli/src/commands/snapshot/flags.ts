import { TIME_PATTERN } from '@vid/kernel'
import type { FlagTable } from '../../flags/flag.ts'
import { renderFlags } from '../render/flags.ts'

const TIME = `(${TIME_PATTERN})`

/** Every flag of `vid snapshot`. */
export const snapshotFlags = {
  at: {
    kind: 'text',
    rule: 'times such as 1s,2.5s,50%,90f,1:30',
    pattern: new RegExp(`^\\s*${TIME}(\\s*,\\s*${TIME})*\\s*$`),
    about: 'when to look',
  },
  frames: {
    kind: 'integer',
    min: 1,
    max: 1000,
    about: 'stills, evenly spread over the length',
    default: '5',
  },
  output: {
    ...renderFlags.output,
    about: 'the folder where they go',
    default: 'snapshots/<name>',
  },
  force: renderFlags.force,
  alpha: { kind: 'switch', about: 'make what is not drawn transparent' },
  fps: renderFlags.fps,
  scale: renderFlags.scale,
  resolution: renderFlags.resolution,
  composition: renderFlags.composition,
  variables: renderFlags.variables,
  'variables-file': renderFlags['variables-file'],
  strict: renderFlags.strict,
  'strict-variables': renderFlags['strict-variables'],
  'browser-gpu': renderFlags['browser-gpu'],
  raster: renderFlags.raster,
  preset: renderFlags.preset,
  json: renderFlags.json,
  quiet: renderFlags.quiet,
} as const satisfies FlagTable

type Name = keyof typeof snapshotFlags

/** Pairs of flags that contradict each other. */
export const snapshotConflicts: readonly (readonly [Name, Name])[] = [
  ['at', 'frames'],
  ['variables', 'variables-file'],
]
