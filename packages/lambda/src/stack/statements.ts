import { prefixes } from '../contract/object-keys.ts'
import type { PolicyStatement, TemplateValue } from './values.ts'

/** The bucket as a policy names it: its ARN followed by `suffix`. */
export type BucketArn = (suffix: string) => TemplateValue

/** What the function may do with the objects of its bucket. */
export const functionStatements = (bucket: BucketArn): readonly PolicyStatement[] => [
  {
    Sid: 'ReadWork',
    Effect: 'Allow',
    Action: 's3:GetObject',
    Resource: [prefixes.sites, prefixes.renders, prefixes.segments].map((prefix) => bucket(`/${prefix}*`)),
  },
  // Without it, S3 answers for a missing object that access is denied.
  { Sid: 'SeeWhatIsMissing', Effect: 'Allow', Action: 's3:ListBucket', Resource: bucket('') },
  {
    Sid: 'RemoveWork',
    Effect: 'Allow',
    Action: 's3:DeleteObject',
    Resource: [prefixes.renders, prefixes.segments].map((prefix) => bucket(`/${prefix}*`)),
  },
  // A caller may give any key to a result.
  {
    Sid: 'WriteWorkAndResults',
    Effect: 'Allow',
    Action: ['s3:PutObject', 's3:AbortMultipartUpload'],
    Resource: bucket('/*'),
  },
  {
    Sid: 'NeverWriteSitesOrPackages',
    Effect: 'Deny',
    Action: 's3:PutObject',
    Resource: [prefixes.sites, prefixes.functions].map((prefix) => bucket(`/${prefix}*`)),
  },
]
