import type { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs'
import type { LambdaClient } from '@aws-sdk/client-lambda'
import type { SFNClient } from '@aws-sdk/client-sfn'
import { withoutNotice } from '@vid/s3'

/** Attempts of each request, enough to outlast throttling when an account starts many renders. */
const ATTEMPTS = 8
const CONNECT_MS = 10_000
const SILENT_MS = 60_000

/** Where requests go; everything else comes from the AWS environment. */
export interface AwsPlace {
  /** Region of the stack; that of the AWS environment if left out. */
  readonly region?: string | undefined
}

const settings = ({ region }: AwsPlace) => ({
  maxAttempts: ATTEMPTS,
  requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: SILENT_MS, throwOnRequestTimeout: true },
  ...(region !== undefined && { region }),
})

/** Opens a client of Step Functions, which the caller destroys. */
export const openStepFunctions = async (place: AwsPlace): Promise<SFNClient> => {
  const { SFNClient } = await import('@aws-sdk/client-sfn')
  return withoutNotice(() => new SFNClient(settings(place)))
}

/** Opens a client of CloudFormation, which the caller destroys. */
export const openCloudFormation = async (place: AwsPlace): Promise<CloudFormationClient> => {
  const { CloudFormationClient } = await import('@aws-sdk/client-cloudformation')
  return withoutNotice(() => new CloudFormationClient(settings(place)))
}

/** Opens a client of Lambda, which the caller destroys. */
export const openLambda = async (place: AwsPlace): Promise<LambdaClient> => {
  const { LambdaClient } = await import('@aws-sdk/client-lambda')
  return withoutNotice(() => new LambdaClient(settings(place)))
}

/** Opens a client of CloudWatch Logs, which the caller destroys. */
export const openLogs = async (place: AwsPlace): Promise<CloudWatchLogsClient> => {
  const { CloudWatchLogsClient } = await import('@aws-sdk/client-cloudwatch-logs')
  return withoutNotice(() => new CloudWatchLogsClient(settings(place)))
}
