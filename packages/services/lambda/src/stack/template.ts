import { version } from '../version.ts'
import { bucketParameters, bucketResources } from './bucket-resources.ts'
import { type CodeKind, functionConditions, functionParameters, functionResources } from './function-resources.ts'
import type { StackSettings } from './stack-parameters.ts'
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

/** Adds a permissions boundary to the roles among resources. */
const bounded = (resources: StackTemplate['Resources'], boundary: string | undefined): StackTemplate['Resources'] =>
  Object.fromEntries(
    Object.entries(resources).map(([name, resource]) => {
      if (boundary === undefined || resource.Type !== 'AWS::IAM::Role') return [name, resource]
      return [name, { ...resource, Properties: { ...resource.Properties, PermissionsBoundary: boundary } }]
    }),
  )

/**
 * The template of the whole stack, for a function that is a package or an image: bucket, function, state machine, their
 * roles and logs. `permissionsBoundary` is the ARN of a policy that bounds both roles.
 */
export const stackTemplate = (
  kind: CodeKind = 'package',
  { permissionsBoundary }: Pick<StackSettings, 'permissionsBoundary'> = {},
): StackTemplate => ({
  AWSTemplateFormatVersion: '2010-09-09',
  Description: 'Renders videos with vid: bucket, function and state machine',
  Parameters: { ...bucketParameters, ...functionParameters(kind) },
  Conditions: functionConditions,
  Resources: {
    ...bucketResources,
    ...bounded({ ...functionResources(kind), ...workflowResources }, permissionsBoundary),
  },
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
