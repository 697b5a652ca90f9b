import { resolve } from 'node:path'
import { defineCommand, type OptionTable, outputOptions } from '@vid/command'
import { configFlag, stackOptions } from './shared/options.ts'
import { imageFlag, stackSettingOptions, stackSettingsOf, tagsFlag } from './shared/stack-settings.ts'

const lambdaDeployOptions = {
  ...stackOptions,
  ...stackSettingOptions,
  tags: tagsFlag,
  config: configFlag,
  image: { ...imageFlag, about: 'container image of the function, instead of a package built from the config' },
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
    ['With tags', 'vid lambda deploy --tags team=video,stage=production'],
  ],
  conflicts: lambdaDeployConflicts,
  async run(run) {
    const [{ fail }, { deployStack }, { STACK_NAME }, { createStackProgress }] = await Promise.all([
      import('../errors.ts'),
      import('../stack/deploy-stack.ts'),
      import('../stack/find-stack.ts'),
      import('./shared/stack-text.ts'),
    ])
    const { cwd, signal, options, json, report, progress } = run
    const { stack: stackName = STACK_NAME } = options
    const { region, config, image } = options
    const stackProgress = createStackProgress(report, progress)
    try {
      const outputs = await deployStack({
        stackName,
        region,
        cwd,
        onEvent: stackProgress.onEvent,
        signal,
        ...stackSettingsOf(options),
        ...(image !== undefined && { image }),
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
