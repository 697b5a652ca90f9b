/** The IAM permissions that vid needs, each with its purpose in words. */
export const awsActions = {
  'cloudformation:CreateStack': 'make the stack',
  'cloudformation:DeleteStack': 'remove the stack',
  'cloudformation:DescribeStackEvents': 'tell what happens to the stack',
  'cloudformation:DescribeStacks': 'describe the stack',
  'cloudformation:UpdateStack': 'update the stack',
  'lambda:DeleteFunction': 'remove old versions of the function',
  'lambda:ListVersionsByFunction': 'list the versions of the function',
  'logs:FilterLogEvents': 'read the logs',
  'states:DescribeExecution': 'tell how far the render is',
  'states:DescribeStateMachineForExecution': 'tell which version of the function a render runs',
  'states:GetExecutionHistory': 'tell what has failed in the render',
  'states:ListExecutions': 'list renders',
  'states:ListMapRuns': 'tell which chunks have failed',
  'states:StartExecution': 'start the render',
  'states:StopExecution': 'stop the render',
} as const

/** A permission that vid needs. */
export type AwsAction = keyof typeof awsActions
