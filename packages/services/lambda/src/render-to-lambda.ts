import { exists, putIfAbsent, readObjectText, type S3Bucket, withBucket } from '@vid/s3'
import { type AwsPlace, openStepFunctions } from './aws-clients.ts'
import { askAws, awsErrorName } from './aws-failure.ts'
import { renderKeys, siteKeys } from './contract/object-keys.ts'
import { bucketProblems, regionOfArn, stateMachineProblems } from './contract/places.ts'
import { fail } from './errors.ts'
import type { RenderConfig } from './renders/config-schema.ts'
import { type PreparedExecution, prepareExecution } from './renders/prepare-execution.ts'
import type { SiteHandle } from './sites/deploy-site.ts'
import { refuseFormat } from './stack/stack-formats.ts'

/** What to render, how, and on which stack. */
export interface RenderToLambdaOptions extends AwsPlace {
  /** The result of `deploySite`, or the id of a site. */
  readonly siteHandle: string | (Pick<SiteHandle, 'siteId'> & Partial<SiteHandle>)
  /** Output `RenderBucketName` of the stack; the site handle's bucket if left out. */
  readonly bucketName?: string
  /** Output `RenderStateMachineArn` of the stack. */
  readonly stateMachineArn: string
  readonly config: RenderConfig
  /**
   * Key of the result in the bucket; for a folder, the prefix of its files. `outputs/<renderId>.<format>` if left out.
   */
  readonly outputKey?: string
  /** Name of the execution; generated if left out. Starting the same render twice under one name starts it once. */
  readonly renderId?: string
  /** Renders of one batch render a shared segment only once. */
  readonly batchId?: string
  readonly signal?: AbortSignal
}

/** A started render. */
export interface RenderHandle {
  readonly renderId: string
  readonly executionArn: string
  readonly bucketName: string
  readonly stateMachineArn: string
  /** Address of the future result: `s3://bucket/key`. */
  readonly outputS3Uri: string
  /** ISO 8601. */
  readonly startedAt: string
}

/** Largest variable values that are compared with those of a render of the same name, in bytes. */
const MAX_VARIABLES_BYTES = 128 * 2 ** 20

/** Stores the variable values of the render; does not replace those of another render. */
const keepVariables = async (place: S3Bucket, renderId: string, variables: string): Promise<void> => {
  const { variables: key } = renderKeys(renderId)
  if (await putIfAbsent(place, key, variables)) return
  if ((await readObjectText(place, key, MAX_VARIABLES_BYTES)) !== variables)
    throw fail('VID_LAMBDA_RENDER_EXISTS', { renderId })
}

const startExecution = async (
  { input, text }: PreparedExecution,
  { stateMachineArn, signal }: RenderToLambdaOptions,
  region: string | undefined,
): Promise<{ readonly executionArn: string; readonly startedAt: string }> => {
  const client = await openStepFunctions({ region })
  const { StartExecutionCommand } = await import('@aws-sdk/client-sfn')
  const { renderId } = input
  const command = new StartExecutionCommand({ stateMachineArn, name: renderId, input: text })
  try {
    const started = await askAws(
      { action: 'states:StartExecution', subject: `the state machine ${stateMachineArn}` },
      signal,
      async (options) => {
        try {
          return await client.send(command, options)
        } catch (thrown) {
          if (awsErrorName(thrown) !== 'ExecutionAlreadyExists') throw thrown
          throw fail('VID_LAMBDA_RENDER_EXISTS', { renderId }, { cause: thrown })
        }
      },
    )
    const { executionArn = '', startDate = new Date() } = started
    return { executionArn, startedAt: startDate.toISOString() }
  } finally {
    client.destroy()
  }
}

const placesOf = ({ siteHandle, stateMachineArn, ...options }: RenderToLambdaOptions) => {
  const site = typeof siteHandle === 'string' ? { siteId: siteHandle } : siteHandle
  const bucketName = options.bucketName ?? site?.bucketName
  const problems = [...bucketProblems(bucketName), ...stateMachineProblems(stateMachineArn)]
  if (site?.bucketName !== undefined && site.bucketName !== bucketName)
    problems.push({ field: 'bucketName', problem: `the site is in ${site.bucketName}, not in ${bucketName}` })
  const region = options.region ?? regionOfArn(String(stateMachineArn))
  return { siteId: site?.siteId, bucketName: bucketName as string, region, problems }
}

/**
 * Starts a render and returns at once. Everything is checked before the first request to AWS; InvalidConfigError names
 * the unusable field. Fails with VID_LAMBDA_FORMAT for a format that the stack does not support.
 */
export const renderToLambda = async (options: RenderToLambdaOptions): Promise<RenderHandle> => {
  const { stateMachineArn, signal } = options
  const { siteId, bucketName, region, problems } = placesOf(options)
  const prepared = await prepareExecution({ ...options, siteId }, problems)
  const { renderId, outputKey } = prepared.input
  await withBucket({ bucketName, region, signal }, async (place) => {
    await refuseFormat(place, stateMachineArn, options.config)
    if (!(await exists(place, siteKeys(siteId).description))) throw fail('VID_LAMBDA_SITE_MISSING', { siteId })
    if (prepared.variables !== undefined) await keepVariables(place, renderId, prepared.variables)
  })
  const { executionArn, startedAt } = await startExecution(prepared, options, region)
  const outputS3Uri = `s3://${bucketName}/${outputKey}`
  return { renderId, executionArn, bucketName, stateMachineArn, outputS3Uri, startedAt }
}
