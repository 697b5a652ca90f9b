import { defineCommand } from '@vid/command'
import { lambdaDeployConflicts, lambdaDeployOptions } from './options.ts'

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
  run: async (run) => (await import('./run.ts')).runLambdaDeploy(run),
  text: ({ bucketName, stateMachineArn, functionArn }) => ({
    lines: [
      `RenderBucketName=${bucketName}`,
      `RenderStateMachineArn=${stateMachineArn}`,
      `RenderFunctionArn=${functionArn}`,
    ],
    after: [
      'in the environment, these spare the other commands a look at the stack:',
      `  export VID_BUCKET=${bucketName} VID_SFN_ARN=${stateMachineArn}`,
    ],
  }),
})
