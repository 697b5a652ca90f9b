import { version } from '../version.ts'
import { bucketParameters, bucketResources } from './bucket-resources.ts'
import { type CodeKind, functionConditions, functionParameters, functionResources } from './function-resources.ts'
import type { StackTemplate } from './values.ts'
import { workflowResources } from './workflow-resources.ts'

/** Largest template that can be sent inline to CloudFormation, in bytes. */
export const MAX_TEMPLATE_BYTES = 51_200

const bucketOutputs: StackTemplate['Outputs'] = {
  RenderBucketName: {
    Description: 'Bucket of projects, work and results',
    Value: { Ref: 'RenderBucket' },
  },
}

/**
 * The template of a stack with only its bucket: the function's package is uploaded there before the rest is created.
 */
export const bucketTemplate = (): StackTemplate => ({
  AWSTemplateFormatVersion: '2010-09-09',
  Description: 'Renders videos with vid: the bucket',
  Parameters: bucketParameters,
  Resources: bucketResources,
  Outputs: bucketOutputs,
})

/**
 * The template of the whole stack, for a function that is a package or an image: bucket, function, state machine, their
 * roles and logs.
 */
export const stackTemplate = (kind: CodeKind = 'package'): StackTemplate => ({
  AWSTemplateFormatVersion: '2010-09-09',
  Description: 'Renders videos with vid: bucket, function and state machine',
  Parameters: { ...bucketParameters, ...functionParameters(kind) },
  Conditions: functionConditions,
  Resources: { ...bucketResources, ...functionResources(kind), ...workflowResources },
  Outputs: {
    ...bucketOutputs,
    RenderStateMachineArn: {
      Description: 'State machine that renders',
      Value: { Ref: 'RenderStateMachine' },
    },
    RenderFunctionArn: {
      Description: 'Function that does the work',
      Value: { 'Fn::GetAtt': ['RenderFunction', 'Arn'] },
    },
    RenderFunctionVersion: {
      Description: 'Version of the function that new renders run',
      Value: { 'Fn::GetAtt': ['RenderVersion', 'Version'] },
    },
    RenderLogGroupName: { Description: 'Logs of the function', Value: { Ref: 'RenderLogs' } },
    PackageDigest: {
      Description: 'SHA-256 of the package, or address of the image',
      Value: { Ref: kind === 'image' ? 'ImageUri' : 'PackageDigest' },
    },
    MemorySize: { Description: 'MB of the function', Value: { Ref: 'MemorySize' } },
    StorageSize: { Description: 'MB of its /tmp', Value: { Ref: 'StorageSize' } },
    VidVersion: { Description: 'Version of vid that made this stack', Value: version },
  },
})
