import { defineErrors, type ErrorTable } from '@vid/protocol'

/** Operations on objects, each with its past participle for messages and the permissions that it needs. */
export const s3Actions = {
  read: { done: 'read', permissions: 's3:GetObject and s3:ListBucket' },
  write: { done: 'written', permissions: 's3:PutObject and s3:AbortMultipartUpload' },
  list: { done: 'listed', permissions: 's3:ListBucket' },
  remove: { done: 'removed', permissions: 's3:DeleteObject' },
} as const

/** An operation on an object. */
export type S3Action = keyof typeof s3Actions

/** Errors of objects of S3: code → message and hint built from facts. */
export const s3Errors = {
  VID_S3_CREDENTIALS: (f: { problem: string }) => ({
    message: `There are no credentials for S3: ${f.problem}.`,
    hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, select an AWS profile, or set both options accessKeyId and secretAccessKey.',
    fault: 'caller',
  }),
  VID_S3_DENIED: (f: { action: S3Action; permissions: string; bucket: string; key: string; reason: string }) => ({
    message: `These credentials may not ${f.action} s3://${f.bucket}/${f.key}: ${f.reason}.`,
    hint: `Allow these credentials ${f.permissions} on the bucket.`,
    final: true,
    fault: 'machine',
  }),
  VID_S3_BUCKET: (f: { bucket: string; reason: string }) => ({
    message: `The bucket "${f.bucket}" cannot be used: ${f.reason}.`,
    hint: 'Check bucket, region (AWS_REGION, unless an option sets it), endpoint and forcePathStyle.',
    final: true,
    fault: 'machine',
  }),
  VID_S3_FAILED: (f: { done: string; bucket: string; key: string; reason: string }) => ({
    message: `The object s3://${f.bucket}/${f.key} cannot be ${f.done}: ${f.reason}.`,
    hint: 'Check that the server runs and is reachable, and try again.',
    fault: 'machine',
  }),
  VID_S3_SIZE: (f: { bucket: string; key: string; bytes: number; maxBytes: number }) => ({
    message: `The object s3://${f.bucket}/${f.key} has ${f.bytes} bytes; the limit is ${f.maxBytes}.`,
    hint: 'Remove the object: it was not written by vid, or is damaged.',
    final: true,
    fault: 'machine',
  }),
  VID_S3_FILE: (f: { path: string; reason: string }) => ({
    message: `${f.path} cannot be used: ${f.reason}.`,
    hint: 'Check that the file can be read or written, and that there is space on the disk.',
    fault: 'machine',
  }),
  VID_S3_BLOB: (f: { key: string }) => ({
    message: `"${f.key}" is not a valid key for a store.`,
    hint: 'Use names of letters, digits, ".", "_" and "-" that do not begin with a dot, joined by slashes.',
    fault: 'render',
  }),
} satisfies ErrorTable

/** Creates the errors of this package. */
export const fail = defineErrors(s3Errors)
