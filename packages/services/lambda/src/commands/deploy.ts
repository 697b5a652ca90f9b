import { resolve } from 'node:path'
import { defineCommand, type OptionTable, outputOptions } from '@vid/command'
import { configFlag, stackOptions } from './shared/options.ts'

const lambdaDeployOptions = {
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
  config: configFlag,
  image: {
    kind: 'text',
    rule: 'the address of an image in ECR',
    pattern: /^\d{12}\.dkr\.ecr\.[\w-]+\.amazonaws\.com(\.cn)?\/[\w./-]+[:@][\w.:-]+$/,
    about: 'container image of the function, instead of a package built from the config',
  },
  ...outputOptions,
} as const satisfies OptionTable

/** Pairs of options that contradict each other. */
const lambdaDeployConflicts = [['image', 'config']] as const

/** `vid lambda deploy`. */
export const lambdaDeployCommand = defineCommand({
  path: 'lambda deploy',
  summary: 'Set up or update rendering in your AWS account, once for each account and region.',
  details:
    'Builds the function from vid.config.ts; CloudFormation creates bucket, function and state machine. Prints the outputs of the stack. You pay almost nothing while nothing renders.',
  options: lambdaDeployOptions,
  examples: [
    ['In Frankfurt', 'vid lambda deploy --region eu-central-1'],
    ['With 200 reserved concurrent calls', 'vid lambda deploy --concurrency=200'],
  ],
  conflicts: lambdaDeployConflicts,
  async run(run) {
    const [{ defined }, { fail }, { deployStack }, { STACK_NAME }, { createStackProgress }] = await Promise.all([
      import('@vid/protocol'),
      import('../errors.ts'),
      import('../stack/deploy-stack.ts'),
      import('../stack/find-stack.ts'),
      import('./shared/stack-text.ts'),
    ])
    const { cwd, signal, options, json, report, progress } = run
    const { stack: stackName = STACK_NAME } = options
    const { region, concurrency, memory, storage, config, image } = options
    const { 'retention-days': retentionDays, 'log-days': logDays } = options
    const stackProgress = createStackProgress(report, progress)
    try {
      const outputs = await deployStack({
        stackName,
        region,
        cwd,
        onEvent: stackProgress.onEvent,
        signal,
        ...defined({ concurrency, memory, storage, image, retentionDays, logDays }),
        ...(config !== undefined && { configFile: resolve(cwd, config) }),
      })
      progress.clear()
      if (!json && !stackProgress.hasBegun()) report.note(`${stackName} is up to date: nothing has changed`)
      return outputs
    } catch (thrown) {
      progress.clear()
      if (!signal.aborted || !stackProgress.hasBegun()) throw thrown
      throw fail('VID_LAMBDA_STACK_LEFT', { stackName, command: 'vid lambda deploy' }, { cause: thrown })
    }
  },
  text: ({ bucketName, stateMachineArn, functionArn }) => ({
    lines: [
      `RenderBucketName=${bucketName}`,
      `RenderStateMachineArn=${stateMachineArn}`,
      `RenderFunctionArn=${functionArn}`,
    ],
    after: [
      'set in the environment, these save the other commands a request to the stack:',
      `  export VID_BUCKET=${bucketName} VID_SFN_ARN=${stateMachineArn}`,
    ],
  }),
})
