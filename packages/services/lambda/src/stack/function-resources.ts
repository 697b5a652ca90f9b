import { createHash } from 'node:crypto'
import { FUNCTION_MEMORY, FUNCTION_SECONDS, FUNCTION_STORAGE, LEAST_STORAGE } from '../contract/limits.ts'
import { prefixes } from '../contract/object-keys.ts'
import { functionStatements, traceStatement } from './statements.ts'
import { type PolicyStatement, policy, type TemplateResource } from './values.ts'

/** The form of a function's code. */
export type CodeKind = 'package' | 'image'

const codeParameters = {
  package: {
    PackageDigest: {
      Type: 'String',
      AllowedPattern: '^[0-9a-f]{64}$',
      Description: 'SHA-256 of the package of the function, which names its object',
    },
  },
  image: { ImageUri: { Type: 'String', MinLength: 1, Description: 'Image of the function' } },
} satisfies Readonly<Record<CodeKind, unknown>>

const codeProperties = {
  package: {
    PackageType: 'Zip',
    Code: {
      S3Bucket: { Ref: 'RenderBucket' },
      S3Key: { 'Fn::Sub': `${prefixes.functions}\${PackageDigest}.zip` },
    },
    Runtime: 'nodejs22.x',
    Handler: 'index.handler',
  },
  image: { PackageType: 'Image', Code: { ImageUri: { Ref: 'ImageUri' } } },
} satisfies Readonly<Record<CodeKind, unknown>>

/** Parameters of the function. */
export const functionParameters = (kind: CodeKind) => ({
  ...codeParameters[kind],
  MemorySize: {
    Type: 'Number',
    Default: FUNCTION_MEMORY,
    MinValue: 128,
    MaxValue: 10_240,
    Description: 'MB of memory; processors come with it',
  },
  StorageSize: {
    Type: 'Number',
    Default: FUNCTION_STORAGE,
    MinValue: LEAST_STORAGE,
    MaxValue: 10_240,
    Description: 'MB of /tmp',
  },
  ReservedConcurrency: {
    Type: 'String',
    Default: '',
    AllowedPattern: '^[0-9]*$',
    Description: 'Calls that may run at once, reserved for this function; empty for no reservation',
  },
  LogDays: { Type: 'Number', Default: 30, Description: 'Days for which logs are kept' },
  Tracing: {
    Type: 'String',
    Default: 'off',
    AllowedValues: ['off', 'on'],
    Description: 'Whether X-Ray traces the workflow and the function',
  },
  FunctionDigest: {
    Type: 'String',
    AllowedPattern: '^[0-9a-f]{64}$',
    Description: 'SHA-256 of all that a version of the function holds: a new one is published when it changes',
  },
})

/** Conditions of the function and the roles. */
export const functionConditions = {
  HasReservation: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'ReservedConcurrency' }, ''] }] },
  IsTraced: { 'Fn::Equals': [{ Ref: 'Tracing' }, 'on'] },
}

const noValue = { Ref: 'AWS::NoValue' }

const tracing = { PolicyName: 'tracing', PolicyDocument: policy(traceStatement) }

/** A role for one AWS service. */
export const role = (service: string, ...statements: readonly PolicyStatement[]): TemplateResource => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
    },
    Policies: [
      { PolicyName: 'own-resources', PolicyDocument: policy(...statements) },
      { 'Fn::If': ['IsTraced', tracing, noValue] },
    ],
  },
})

/** The function, its role and its logs. */
export const functionResources = (kind: CodeKind): Readonly<Record<string, TemplateResource>> => ({
  RenderLogs: { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: { Ref: 'LogDays' } } },
  RenderFunctionRole: role(
    'lambda.amazonaws.com',
    ...functionStatements((suffix) =>
      suffix === '' ? { 'Fn::GetAtt': ['RenderBucket', 'Arn'] } : { 'Fn::Sub': `\${RenderBucket.Arn}${suffix}` },
    ),
    {
      Sid: 'WriteLogs',
      Effect: 'Allow',
      Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: { 'Fn::GetAtt': ['RenderLogs', 'Arn'] },
    },
  ),
  RenderFunction: {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Description: 'Plans videos, renders parts of them and joins them',
      ...codeProperties[kind],
      Architectures: ['x86_64'],
      Role: { 'Fn::GetAtt': ['RenderFunctionRole', 'Arn'] },
      Timeout: FUNCTION_SECONDS,
      MemorySize: { Ref: 'MemorySize' },
      EphemeralStorage: { Size: { Ref: 'StorageSize' } },
      ReservedConcurrentExecutions: { 'Fn::If': ['HasReservation', { Ref: 'ReservedConcurrency' }, noValue] },
      LoggingConfig: { LogGroup: { Ref: 'RenderLogs' } },
      TracingConfig: { Mode: { 'Fn::If': ['IsTraced', 'Active', 'PassThrough'] } },
      Environment: { Variables: { VID_BUCKET: { Ref: 'RenderBucket' } } },
    },
  },
  // An execution uses the same version to its end; `removeOldVersions` decides when a version may be removed.
  RenderVersion: {
    Type: 'AWS::Lambda::Version',
    DeletionPolicy: 'RetainExceptOnCreate',
    UpdateReplacePolicy: 'Retain',
    Properties: { FunctionName: { Ref: 'RenderFunction' }, Description: { Ref: 'FunctionDigest' } },
  },
})

/**
 * SHA-256 of the contents of a function version. It must change exactly when the function does: Lambda does not publish
 * a version equal to the last one.
 */
export const functionDigest = (kind: CodeKind, ...values: readonly (string | number)[]): string => {
  const { RenderFunction } = functionResources(kind)
  // Whether it is traced is one of the values.
  const { ReservedConcurrentExecutions: _, TracingConfig: _tracing, ...properties } = RenderFunction?.Properties ?? {}
  return createHash('sha256')
    .update(JSON.stringify([properties, values]))
    .digest('hex')
}
