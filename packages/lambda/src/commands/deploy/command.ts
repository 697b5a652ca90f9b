import { defineCommand } from '@vid/command'
import { lambdaDeployConflicts, lambdaDeployOptions } from './options.ts'

/** `vid lambda deploy`. */
export const lambdaDeployCommand = defineCommand({
  path: 'lambda deploy',
  summary: 'Set up rendering in your AWS account, or bring it up to date: once for each account and region.',
  details:
    'Builds the function from vid.config.ts, and has CloudFormation make bucket, function and state machine. Prints the outputs of the stack. Nothing runs, and costs next to nothing, until something is rendered.',
  options: lambdaDeployOptions,
  examples: [
    ['In Frankfurt', 'vid lambda deploy --region eu-central-1'],
    ['With 200 calls at once reserved for it', 'vid lambda deploy --concurrency=200'],
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
