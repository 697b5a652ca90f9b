import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Errors of bringing a result to S3. */
export const deliverS3Errors = {
  VID_S3_KEY: (f: { key: string; problem: string }) => ({
    message: `the key "${f.key}" cannot be used: ${f.problem}`,
    hint: 'write it like "videos/{date}/{name}": letters, digits, ! - _ . * \' ( ) and slashes around {name}, {stem}, {format} and {date}',
    fault: 'caller',
  }),
  VID_S3_CREDENTIALS: (f: { problem: string }) => ({
    message: `there are no credentials for S3: ${f.problem}`,
    hint: 'give accessKeyId and secretAccessKey both, or neither and let the AWS environment have them',
    fault: 'caller',
  }),
  VID_S3_DENIED: (f: { bucket: string; key: string; reason: string }) => ({
    message: `the result may not be written to s3://${f.bucket}/${f.key}: ${f.reason}`,
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
    hint: 'see whether the server is up; attempts and timeoutMs say how long it is tried',
    fault: 'machine',
  }),
} satisfies ErrorTable

export const fail = defineErrors(deliverS3Errors)
