import { prefixes } from '../contract/object-keys.ts'
import { STACK_NAME } from './find-stack.ts'
import { functionStatements, traceStatement, workflowStatements } from './statements.ts'
import { type PolicyDocument, type PolicyStatement, policy } from './values.ts'

/** The stack that the policies are for; omitted values become wildcards. */
export interface PoliciesOptions {
  readonly stackName?: string
  readonly region?: string
  /** Account number. */
  readonly account?: string
  /** Bucket of the stack; any bucket of a stack with the name if left out. */
  readonly bucketName?: string
  /** Name of the repository with the function's image, if it uses one: `vid`. */
  readonly imageRepository?: string
  /** `aws-cn` in China, `aws-us-gov` in GovCloud. */
  readonly partition?: string
  /** ARN of the policy that must bound every role of the stack. */
  readonly permissionsBoundary?: string
}

/** The least privileges as IAM policies. */
export interface StackPolicies {
  /** For users who deploy and destroy the stack. */
  readonly deploy: PolicyDocument
  /** For users who upload projects, start and follow renders, and fetch their results. */
  readonly render: PolicyDocument
  /** For the function itself, as attached by the stack. */
  readonly function: PolicyDocument
  /** The most that the roles of the stack need: a permissions boundary for them. */
  readonly boundary: PolicyDocument
}

interface Names {
  readonly name: string
  readonly bucket: string
  arn(service: string, resource: string): string
}

const namesOf = ({
  stackName: name = STACK_NAME,
  region = '*',
  account = '*',
  partition = 'aws',
  bucketName = `${name.toLowerCase()}-renderbucket-*`,
}: PoliciesOptions): Names => ({
  name,
  bucket: `arn:${partition}:s3:::${bucketName}`,
  arn: (service, resource) =>
    service === 'iam'
      ? `arn:${partition}:iam::${account}:${resource}`
      : `arn:${partition}:${service}:${region}:${account}:${resource}`,
})

/** Lambda reads an image with the permissions of the user who creates the function. */
const imageStatements = ({ imageRepository }: PoliciesOptions, { arn }: Names): readonly PolicyStatement[] =>
  imageRepository === undefined
    ? []
    : [
        {
          Sid: 'Image',
          Effect: 'Allow',
          Action: ['BatchGetImage', 'GetDownloadUrlForLayer', 'GetRepositoryPolicy', 'SetRepositoryPolicy'].map(
            (action) => `ecr:${action}`,
          ),
          Resource: arn('ecr', `repository/${imageRepository}`),
        },
      ]

/** Actions that give a role its permissions. AWS can demand a boundary of the role for each. */
const GRANTING = ['CreateRole', 'PutRolePolicy', 'DeleteRolePolicy'].map((action) => `iam:${action}`)

const ROLE_ACTIONS = [
  'GetRole',
  'DeleteRole',
  'UpdateAssumeRolePolicy',
  'GetRolePolicy',
  'ListRolePolicies',
  'ListAttachedRolePolicies',
  'TagRole',
  'UntagRole',
].map((action) => `iam:${action}`)

/** Without a boundary, a role may get any permissions, also those of an administrator. */
const roleStatements = ({ permissionsBoundary }: PoliciesOptions, { name, arn }: Names): readonly PolicyStatement[] => {
  const roles = { Effect: 'Allow', Resource: arn('iam', `role/${name}-*`) } as const
  if (permissionsBoundary === undefined) return [{ Sid: 'Roles', ...roles, Action: [...GRANTING, ...ROLE_ACTIONS] }]
  return [
    { Sid: 'Roles', ...roles, Action: ROLE_ACTIONS },
    {
      Sid: 'RolesWithinBoundary',
      ...roles,
      Action: [...GRANTING, 'iam:PutRolePermissionsBoundary'],
      Condition: { StringEquals: { 'iam:PermissionsBoundary': permissionsBoundary } },
    },
  ]
}

const deployPolicy = (options: PoliciesOptions, { name, bucket, arn }: Names): PolicyDocument =>
  policy(
    {
      Sid: 'Stack',
      Effect: 'Allow',
      Action: ['CreateStack', 'UpdateStack', 'DeleteStack', 'DescribeStacks', 'DescribeStackEvents'].map(
        (action) => `cloudformation:${action}`,
      ),
      Resource: arn('cloudformation', `stack/${name}/*`),
    },
    {
      Sid: 'Bucket',
      Effect: 'Allow',
      Action: [
        'CreateBucket',
        'DeleteBucket',
        'ListBucket',
        'GetBucketPolicy',
        'PutBucketPolicy',
        'DeleteBucketPolicy',
        'GetEncryptionConfiguration',
        'PutEncryptionConfiguration',
        'GetLifecycleConfiguration',
        'PutLifecycleConfiguration',
        'GetBucketPublicAccessBlock',
        'PutBucketPublicAccessBlock',
        'GetBucketOwnershipControls',
        'PutBucketOwnershipControls',
        'GetBucketTagging',
        'PutBucketTagging',
      ].map((action) => `s3:${action}`),
      Resource: bucket,
    },
    {
      Sid: 'Objects',
      Effect: 'Allow',
      Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
      Resource: `${bucket}/*`,
    },
    ...roleStatements(options, { name, bucket, arn }),
    {
      Sid: 'GiveRoles',
      Effect: 'Allow',
      Action: 'iam:PassRole',
      Resource: arn('iam', `role/${name}-*`),
      Condition: {
        StringEquals: { 'iam:PassedToService': ['lambda.amazonaws.com', 'states.amazonaws.com'] },
      },
    },
    {
      Sid: 'Function',
      Effect: 'Allow',
      Action: [
        'CreateFunction',
        'GetFunction',
        'GetFunctionConfiguration',
        'UpdateFunctionCode',
        'UpdateFunctionConfiguration',
        'DeleteFunction',
        'PutFunctionConcurrency',
        'GetFunctionConcurrency',
        'DeleteFunctionConcurrency',
        'GetFunctionCodeSigningConfig',
        'GetFunctionRecursionConfig',
        'GetRuntimeManagementConfig',
        'GetProvisionedConcurrencyConfig',
        'PublishVersion',
        'ListVersionsByFunction',
        'ListTags',
        'TagResource',
        'UntagResource',
      ].map((action) => `lambda:${action}`),
      Resource: arn('lambda', `function:${name}-*`),
    },
    {
      Sid: 'StateMachine',
      Effect: 'Allow',
      Action: [
        'CreateStateMachine',
        'DescribeStateMachine',
        'UpdateStateMachine',
        'DeleteStateMachine',
        'ListTagsForResource',
        'TagResource',
        'UntagResource',
        'ListStateMachineVersions',
        'ListExecutions',
      ].map((action) => `states:${action}`),
      Resource: arn('states', `stateMachine:${name}`),
    },
    // To read which version of the function a running render started with.
    {
      Sid: 'Executions',
      Effect: 'Allow',
      Action: 'states:DescribeStateMachineForExecution',
      Resource: arn('states', `execution:${name}:*`),
    },
    {
      Sid: 'Logs',
      Effect: 'Allow',
      Action: [
        'CreateLogGroup',
        'DeleteLogGroup',
        'PutRetentionPolicy',
        'DeleteRetentionPolicy',
        'ListTagsForResource',
        'TagResource',
        'UntagResource',
        'GetDataProtectionPolicy',
      ].map((action) => `logs:${action}`),
      Resource: [arn('logs', `log-group:${name}-*`), arn('logs', `log-group:${name}-*:*`)],
    },
    // It cannot be restricted to individual log groups.
    {
      Sid: 'FindLogs',
      Effect: 'Allow',
      Action: 'logs:DescribeLogGroups',
      Resource: arn('logs', 'log-group:*'),
    },
    ...imageStatements(options, { name, bucket, arn }),
  )

const renderPolicy = ({ name, bucket, arn }: Names): PolicyDocument =>
  policy(
    { Sid: 'List', Effect: 'Allow', Action: 's3:ListBucket', Resource: bucket },
    { Sid: 'ReadSitesWorkAndResults', Effect: 'Allow', Action: 's3:GetObject', Resource: `${bucket}/*` },
    {
      Sid: 'UploadProjectsAndVariables',
      Effect: 'Allow',
      Action: ['s3:PutObject', 's3:AbortMultipartUpload'],
      Resource: [`${bucket}/${prefixes.sites}*`, `${bucket}/${prefixes.renders}*/variables.json`],
    },
    {
      Sid: 'EndVideosOfStoppedRenders',
      Effect: 'Allow',
      Action: 's3:PutObject',
      Resource: [`${bucket}/${prefixes.renders}*/stream.json`, `${bucket}/*.m3u8`],
    },
    {
      Sid: 'StartAndList',
      Effect: 'Allow',
      Action: ['states:StartExecution', 'states:ListExecutions'],
      Resource: arn('states', `stateMachine:${name}`),
    },
    {
      Sid: 'Follow',
      Effect: 'Allow',
      Action: ['DescribeExecution', 'GetExecutionHistory', 'StopExecution', 'ListMapRuns'].map(
        (action) => `states:${action}`,
      ),
      Resource: [arn('states', `execution:${name}:*`), arn('states', `execution:${name}/*:*`)],
    },
    {
      Sid: 'FollowChunks',
      Effect: 'Allow',
      Action: 'states:ListExecutions',
      Resource: arn('states', `mapRun:${name}/*:*`),
    },
    {
      Sid: 'ReadOutputs',
      Effect: 'Allow',
      Action: 'cloudformation:DescribeStacks',
      Resource: arn('cloudformation', `stack/${name}/*`),
    },
    {
      Sid: 'ReadLogs',
      Effect: 'Allow',
      Action: 'logs:FilterLogEvents',
      Resource: [arn('logs', `log-group:${name}-*`), arn('logs', `log-group:${name}-*:*`)],
    },
  )

const ownStatements = ({ name, bucket, arn }: Names): readonly PolicyStatement[] => [
  ...functionStatements((suffix) => `${bucket}${suffix}`),
  {
    Sid: 'WriteLogs',
    Effect: 'Allow',
    Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    Resource: arn('logs', `log-group:${name}-*:*`),
  },
]

const boundaryPolicy = (names: Names): PolicyDocument =>
  policy(
    ...ownStatements(names),
    ...workflowStatements({
      functions: names.arn('lambda', `function:${names.name}-*`),
      stateMachine: names.arn('states', `stateMachine:${names.name}`),
      executions: [
        names.arn('states', `execution:${names.name}:*`),
        names.arn('states', `execution:${names.name}/*:*`),
      ],
    }),
    traceStatement,
  )

/** The least IAM policies of a stack: for deploying it, for rendering with it, and for its roles. */
export const stackPolicies = (options: PoliciesOptions = {}): StackPolicies => {
  const names = namesOf(options)
  return {
    deploy: deployPolicy(options, names),
    render: renderPolicy(names),
    function: policy(...ownStatements(names)),
    boundary: boundaryPolicy(names),
  }
}
