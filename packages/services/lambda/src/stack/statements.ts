import { prefixes } from '../contract/object-keys.ts'
import type { PolicyStatement, TemplateValue } from './values.ts'

/** The bucket in a policy: its ARN followed by `suffix`. */
export type BucketArn = (suffix: string) => TemplateValue

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
