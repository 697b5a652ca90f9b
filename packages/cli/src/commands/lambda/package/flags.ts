import type { FlagTable } from '../../../flags/flag.ts'
import { outputFlags } from '../../../lambda/flags.ts'
import { lambdaDeployFlags } from '../deploy/flags.ts'

/** Every flag of `vid lambda package`. */
export const lambdaPackageFlags = {
  out: { kind: 'text', rule: 'a path', about: 'zip to write the package to' },
  'image-context': {
    kind: 'text',
    rule: 'a path',
    about: 'folder to write, from which docker build makes the image of the function',
  },
  config: lambdaDeployFlags.config,
  force: { kind: 'switch', about: 'replace an earlier zip or folder of this command' },
  ...outputFlags,
} as const satisfies FlagTable

/** Pairs of flags that contradict each other. */
export const lambdaPackageConflicts = [['out', 'image-context']] as const
