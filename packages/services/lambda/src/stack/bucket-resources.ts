import { prefixes } from '../contract/object-keys.ts'
import { policy, type TemplateResource, type TemplateValue } from './values.ts'

const BUCKET_ARN: TemplateValue = { 'Fn::GetAtt': ['RenderBucket', 'Arn'] }

const expires = (id: string, prefix: string, days: string) => ({
  Id: id,
  Status: 'Enabled',
  Prefix: prefix,
  ExpirationInDays: { Ref: days },
})

/**
 * The bucket: private, encrypted, accessible only by TLS. Sites and results never expire; work objects and segments do.
 */
export const bucketResources: Readonly<Record<string, TemplateResource>> = {
  RenderBucket: {
    Type: 'AWS::S3::Bucket',
    // It contains results, so it survives the deletion of the stack and its own replacement.
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
    // TLS stays required as long as the bucket exists.
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

/** Parameters of the bucket. */
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
