import type { OptionTable } from '@vid/command'

/** Options of `vid container info`. */
export const infoOptions = {
  json: { kind: 'switch', about: 'one event on stdout, as a JSON object' },
} as const satisfies OptionTable

/** Options of `vid container build`. */
export const buildOptions = {
  'base-image': {
    kind: 'text',
    rule: 'a name of an image',
    about: 'image to start from',
    default: 'debian:bookworm-slim',
  },
  force: { kind: 'switch', about: 'build even if the image exists, and use nothing from earlier builds' },
  ...infoOptions,
  quiet: { kind: 'switch', about: 'print errors only' },
} as const satisfies OptionTable

/** Options of `vid container shell`. */
export const shellOptions = {
  network: {
    kind: 'choice',
    choices: ['none', 'bridge'],
    about: 'network of the shell: none, or that of the engine',
    default: 'none',
  },
} as const satisfies OptionTable

/** Options of `vid container inside`. */
export const insideOptions = {} as const satisfies OptionTable

/** Options of `vid container seccomp`. */
export const seccompOptions = {} as const satisfies OptionTable
