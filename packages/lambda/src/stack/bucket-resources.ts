import { prefixes } from '../contract/object-keys.ts'
import { policy, type TemplateResource, type TemplateValue } from './values.ts'

const BUCKET_ARN: TemplateValue = { 'Fn::GetAtt': ['RenderBucket', 'Arn'] }

const expires = (id: string, prefix: string, days: string) => ({
  Id: id,
  Status: 'Enabled',
  Prefix: prefix,
  ExpirationInDays: { Ref: days },
})

/** The bucket: private, encrypted, reached by TLS only. Sites and results never expire, work and segments do. */
export const bucketResources: Readonly<Record<string, TemplateResource>> = {
  RenderBucket: {
    Type: 'AWS::S3::Bucket',
    // It holds results: neither a deleted stack nor a replaced bucket takes them along.
    DeletionPolicy: 'RetainExceptOnCreate',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
      LifecycleConfiguration: {
        Rules: [
          expires('work', prefixes.renders, 'WorkDays'),
          expires('segments', prefixes.segments, 'SegmentDays'),
          {
            Id: 'uploads',
            Status: 'Enabled',
            Prefix: '',
            AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
          },
        ],
      },
    },
  },
  RenderBucketPolicy: {
    Type: 'AWS::S3::BucketPolicy',
    // As long as the bucket is there, nobody reads it without TLS.
    DeletionPolicy: 'RetainExceptOnCreate',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      Bucket: { Ref: 'RenderBucket' },
      PolicyDocument: policy({
        Sid: 'OnlyTls',
        Effect: 'Deny',
        Principal: '*',
        Action: 's3:*',
        Resource: [BUCKET_ARN, { 'Fn::Sub': `\${RenderBucket.Arn}/*` }],
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    },
  },
}

/** Parameters that the bucket needs. */
export const bucketParameters = {
  WorkDays: {
    Type: 'Number',
    Default: 7,
    MinValue: 1,
    Description: 'Days after which the work of a render is removed',
  },
  SegmentDays: {
    Type: 'Number',
    Default: 30,
    MinValue: 1,
    Description: 'Days for which a finished segment is kept after its last use',
  },
}
