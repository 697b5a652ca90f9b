import { checkBucket, createS3Client } from '@vid/s3'
import { openStepFunctions } from './aws-clients.ts'
import { awsError } from './aws-failure.ts'
import type { Place } from './find-place.ts'

/** Attempts of a request that only serves to fail early. */
const ATTEMPTS = 2

/** Checks region, credentials and bucket before anything is uploaded. */
export const checkStackPlace = async (
  { bucketName, stateMachineArn, region }: Place,
  signal?: AbortSignal,
): Promise<void> => {
  const workflow = await openStepFunctions({ region })
  const bucket = await createS3Client({ region, attempts: ATTEMPTS })
  try {
    const request = {
      action: 'states:StartExecution',
      subject: `the state machine ${stateMachineArn}`,
    } as const
    for (const find of [workflow.config.region, workflow.config.credentials])
      await find().catch((thrown: unknown) => {
        throw awsError(thrown, request)
      })
    await checkBucket({ client: bucket, bucket: bucketName, signal })
  } finally {
    workflow.destroy()
    bucket.destroy()
  }
}
