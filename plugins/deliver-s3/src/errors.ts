import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Every error of this plugin: code → message and hint built from facts. */
export const deliverS3Errors = {
  VID_S3_KEY: (f: { key: string; problem: string }) => ({
    message: `the key "${f.key}" cannot be used: ${f.problem}`,
    hint: 'write it like "videos/{date}/{name}": letters, digits, ! - _ . * \' ( ) and slashes around {name}, {stem}, {format} and {date}',
    fault: 'caller',
  }),
  VID_S3_CREDENTIALS: (f: { problem: string }) => ({
    message: `there are no credentials for S3: ${f.problem}`,
    hint: 'set both accessKeyId and secretAccessKey, or neither to use those of the AWS environment',
    fault: 'caller',
  }),
  VID_S3_DENIED: (f: { bucket: string; key: string; reason: string }) => ({
    message: `these credentials may not write the result to s3://${f.bucket}/${f.key}: ${f.reason}`,
    hint: 'allow these credentials s3:PutObject and s3:AbortMultipartUpload on the bucket',
    final: true,
    fault: 'machine',
  }),
  VID_S3_BUCKET: (f: { bucket: string; reason: string }) => ({
    message: `the bucket "${f.bucket}" cannot be used: ${f.reason}`,
    hint: 'check bucket, region, endpoint and forcePathStyle',
    final: true,
    fault: 'machine',
  }),
  VID_S3_FAILED: (f: { bucket: string; key: string; reason: string }) => ({
    message: `the result cannot be uploaded to s3://${f.bucket}/${f.key}: ${f.reason}`,
    hint: 'check that the server is up; the options attempts and timeoutMs limit the retries',
    fault: 'machine',
  }),
} satisfies ErrorTable

export const fail = defineErrors(deliverS3Errors)
