import { fail, type OptionTable, type OptionValues, outputOptions } from '@vid/command'
import { lambdaDeployOptions } from '../deploy/options.ts'

/** Every option of `vid lambda package`. */
export const lambdaPackageOptions = {
  out: { kind: 'text', rule: 'a path', about: 'zip to write the package to' },
  'image-context': {
    kind: 'text',
    rule: 'a path',
    about: 'folder to write, from which docker build makes the image of the function',
  },
  config: lambdaDeployOptions.config,
  force: { kind: 'switch', about: 'replace an earlier zip or folder of this command' },
  ...outputOptions,
} as const satisfies OptionTable

/** Pairs of options that contradict each other. */
export const lambdaPackageConflicts = [['out', 'image-context']] as const

/** What is wrong beyond single options. */
export const packageProblems = ({ out, 'image-context': context }: OptionValues<typeof lambdaPackageOptions>) =>
  out === undefined && context === undefined
    ? [fail('VID_USAGE', { command: 'lambda package', reason: 'give --out or --image-context' })]
    : []
