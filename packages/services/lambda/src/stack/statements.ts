import { prefixes } from '../contract/object-keys.ts'
import type { PolicyStatement, TemplateValue } from './values.ts'

/** The bucket in a policy: its ARN followed by `suffix`. */
export type BucketArn = (suffix: string) => TemplateValue

/** What a traced role may do. X-Ray limits none of these actions to a resource. */
export const traceStatement: PolicyStatement = {
  Sid: 'Trace',
  Effect: 'Allow',
  Action: ['PutTraceSegments', 'PutTelemetryRecords', 'GetSamplingRules', 'GetSamplingTargets'].map(
    (action) => `xray:${action}`,
  ),
  Resource: '*',
}

/** Resources of a stack that its workflow uses, in a policy. */
export interface WorkflowArns {
  readonly functions: TemplateValue | readonly TemplateValue[]
  readonly stateMachine: TemplateValue
  readonly executions: readonly TemplateValue[]
}

/** What the workflow may do. */
export const workflowStatements = ({
  functions,
  stateMachine,
  executions,
}: WorkflowArns): readonly PolicyStatement[] => [
  { Sid: 'CallFunction', Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: functions },
  // A distributed Map starts executions of its own state machine.
  { Sid: 'StartChunks', Effect: 'Allow', Action: 'states:StartExecution', Resource: stateMachine },
  {
    Sid: 'FollowChunks',
    Effect: 'Allow',
    Action: ['states:DescribeExecution', 'states:StopExecution'],
    Resource: executions,
  },
]

/** What the function may do with objects in its bucket. A result may have any key that is not reserved. */
export const functionStatements = (bucket: BucketArn): readonly PolicyStatement[] => [
  // Without it, S3 replies to a request for a missing object that access is denied.
  { Sid: 'SeeWhatIsMissing', Effect: 'Allow', Action: 's3:ListBucket', Resource: bucket('') },
  {
    Sid: 'WorkAndResults',
    Effect: 'Allow',
    Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
    Resource: bucket('/*'),
  },
  {
    Sid: 'NeverChangeSites',
    Effect: 'Deny',
    Action: ['s3:PutObject', 's3:DeleteObject'],
    Resource: bucket(`/${prefixes.sites}*`),
  },
  {
    Sid: 'NeverTouchPackages',
    Effect: 'Deny',
    Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
    Resource: bucket(`/${prefixes.functions}*`),
  },
]
