import { FUNCTION_MEMORY, FUNCTION_SECONDS } from '../contract/limits.ts'
import { prefixes } from '../contract/object-keys.ts'
import { functionStatements } from './statements.ts'
import { type PolicyStatement, policy, type TemplateResource } from './values.ts'

/** Parameters of the function. */
export const functionParameters = {
  PackageDigest: {
    Type: 'String',
    Default: '',
    AllowedPattern: '^([0-9a-f]{64})?$',
    Description: 'SHA-256 of the package of the function, which names its object; empty for an image',
  },
  ImageUri: { Type: 'String', Default: '', Description: 'Image of the function, in place of a package' },
  MemorySize: {
    Type: 'Number',
    Default: FUNCTION_MEMORY,
    MinValue: 128,
    MaxValue: 10_240,
    Description: 'MB of memory; processors come with it',
  },
  StorageSize: {
    Type: 'Number',
    Default: 10_240,
    MinValue: 512,
    MaxValue: 10_240,
    Description: 'MB of /tmp',
  },
  ReservedConcurrency: {
    Type: 'Number',
    Default: -1,
    MinValue: -1,
    Description: 'Calls that may run at once, reserved for this function; -1 for no reservation',
  },
  LogDays: { Type: 'Number', Default: 30, Description: 'Days for which logs are kept' },
}

/** Conditions that the function needs. */
export const functionConditions = {
  HasImage: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'ImageUri' }, ''] }] },
  HasReservation: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'ReservedConcurrency' }, '-1'] }] },
}

/** A role that one service of AWS takes on. */
export const role = (service: string, ...statements: readonly PolicyStatement[]): TemplateResource => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
    },
    Policies: [{ PolicyName: 'own-resources', PolicyDocument: policy(...statements) }],
  },
})

const none = { Ref: 'AWS::NoValue' }

/** The function, its role and its logs. */
export const functionResources: Readonly<Record<string, TemplateResource>> = {
  RenderLogs: { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: { Ref: 'LogDays' } } },
  RenderFunctionRole: role(
    'lambda.amazonaws.com',
    ...functionStatements((suffix) =>
      suffix === ''
        ? { 'Fn::GetAtt': ['RenderBucket', 'Arn'] }
        : { 'Fn::Sub': `\${RenderBucket.Arn}${suffix}` },
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
      PackageType: { 'Fn::If': ['HasImage', 'Image', 'Zip'] },
      Code: {
        'Fn::If': [
          'HasImage',
          { ImageUri: { Ref: 'ImageUri' } },
          {
            S3Bucket: { Ref: 'RenderBucket' },
            S3Key: { 'Fn::Sub': `${prefixes.functions}\${PackageDigest}.zip` },
          },
        ],
      },
      Runtime: { 'Fn::If': ['HasImage', none, 'nodejs22.x'] },
      Handler: { 'Fn::If': ['HasImage', none, 'index.handler'] },
      Architectures: ['x86_64'],
      Role: { 'Fn::GetAtt': ['RenderFunctionRole', 'Arn'] },
      Timeout: FUNCTION_SECONDS,
      MemorySize: { Ref: 'MemorySize' },
      EphemeralStorage: { Size: { Ref: 'StorageSize' } },
      ReservedConcurrentExecutions: { 'Fn::If': ['HasReservation', { Ref: 'ReservedConcurrency' }, none] },
      LoggingConfig: { LogGroup: { Ref: 'RenderLogs' } },
      Environment: { Variables: { VID_BUCKET: { Ref: 'RenderBucket' } } },
    },
  },
}
