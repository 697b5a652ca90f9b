import { Type } from '@vid/protocol'

const Secret = Type.Optional(Type.String({ writeOnly: true, minLength: 1 }))

/** Plugin options that locate a bucket and set the credentials. */
export const s3Options = {
  bucket: Type.String({ minLength: 1 }),
  /** Default: from the AWS environment. */
  region: Type.Optional(Type.String({ minLength: 1 })),
  /** URL of a server other than AWS. */
  endpoint: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** Puts the bucket into the path instead of the host name; the default for a server other than AWS. */
  forcePathStyle: Type.Optional(Type.Boolean()),
  accessKeyId: Secret,
  secretAccessKey: Secret,
  sessionToken: Secret,
}
