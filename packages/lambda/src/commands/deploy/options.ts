import { type OptionTable, outputOptions } from '@vid/command'
import { stackOptions } from '../shared/options.ts'

/** Every option of `vid lambda deploy`. */
export const lambdaDeployOptions = {
  ...stackOptions,
  concurrency: {
    kind: 'integer',
    min: 1,
    max: 1_000_000,
    about: 'reserved concurrent calls of the function',
    default: 'the unreserved calls of the account',
  },
  memory: {
    kind: 'integer',
    min: 128,
    max: 10_240,
    about: 'memory of the function in MB; its share of processors grows with it',
    default: '10240',
  },
  'retention-days': {
    kind: 'integer',
    min: 1,
    max: 36_500,
    about: 'days for which finished segments are kept for later renders after their last use',
    default: '30',
  },
  storage: {
    kind: 'integer',
    min: 1024,
    max: 10_240,
    about: 'size of /tmp of the function in MB',
    default: '10240',
  },
  'log-days': {
    kind: 'integer',
    min: 1,
    max: 3653,
    about: 'days for which logs are kept, a value of CloudWatch such as 7, 30 or 365',
    default: '30',
  },
  config: {
    kind: 'text',
    rule: 'a path',
    about: 'config of the function, with its plugins',
    default: 'that of the current folder',
  },
  image: {
    kind: 'text',
    rule: 'the address of an image in ECR',
    pattern: /^\d{12}\.dkr\.ecr\.[\w-]+\.amazonaws\.com(\.cn)?\/[\w./-]+[:@][\w.:-]+$/,
    about: 'container image of the function, instead of a package built from the config',
  },
  ...outputOptions,
} as const satisfies OptionTable

/** Pairs of options that contradict each other. */
export const lambdaDeployConflicts = [['image', 'config']] as const
