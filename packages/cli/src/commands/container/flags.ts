import type { FlagTable } from '../../flags/flag.ts'

/** Flags of `vid container info`. */
export const infoFlags = {
  json: { kind: 'switch', about: 'one event on stdout, as a JSON object' },
} as const satisfies FlagTable

/** Flags of `vid container build`. */
export const buildFlags = {
  'base-image': {
    kind: 'text',
    rule: 'a name of an image',
    about: 'image to start from',
    default: 'debian:bookworm-slim',
  },
  force: { kind: 'switch', about: 'build although the image is there, and use nothing of earlier builds' },
  ...infoFlags,
  quiet: { kind: 'switch', about: 'print errors only' },
} as const satisfies FlagTable

/** Flags of `vid container shell`. */
export const shellFlags = {
  network: {
    kind: 'choice',
    choices: ['none', 'bridge'],
    about: 'what the shell reaches: nothing, or the network of the engine',
    default: 'none',
  },
} as const satisfies FlagTable

/** Flags of `vid container inside`. */
export const insideFlags = {} as const satisfies FlagTable

/** Flags of `vid container seccomp`. */
export const seccompFlags = {} as const satisfies FlagTable
