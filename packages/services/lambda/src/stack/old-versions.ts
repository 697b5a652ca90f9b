import type { FunctionConfiguration, LambdaClient } from '@aws-sdk/client-lambda'
import { openLambda } from '../aws-clients.ts'
import { askAws, awsErrorName } from '../aws-failure.ts'
import { regionOfArn } from '../contract/places.ts'
import { executionsOf } from '../renders/execution-list.ts'
import { withStepFunctions } from '../renders/executions.ts'
import type { StackPlace } from './find-stack.ts'
import type { StackOutputs } from './stack-outputs.ts'

/** Newer versions are kept even if unused, because another deployment may be in progress. */
const KEPT_MS = 24 * 3_600_000

const publishedMs = ({ LastModified }: FunctionConfiguration) => Date.parse(LastModified ?? '')

/** The numbered versions of a function, latest first. */
const versionsOf = async (
  client: LambdaClient,
  FunctionName: string,
  signal: AbortSignal | undefined,
): Promise<readonly FunctionConfiguration[]> => {
  const { ListVersionsByFunctionCommand } = await import('@aws-sdk/client-lambda')
  const request = {
    action: 'lambda:ListVersionsByFunction',
    subject: `the function ${FunctionName}`,
  } as const
  const versions: FunctionConfiguration[] = []
  for (let Marker: string | undefined, isMore = true; isMore; isMore = Marker !== undefined) {
    const command = new ListVersionsByFunctionCommand({ FunctionName, Marker })
    const page = await askAws(request, signal, (options) => client.send(command, options))
    versions.push(...(page.Versions ?? []))
    Marker = page.NextMarker
  }
  return versions
    .filter(({ Version }) => Version !== '$LATEST')
    .sort((first, other) => Number(other.Version) - Number(first.Version))
}

/** Selects the `versions` that no running execution started with. */
const unused = async (
  versions: readonly FunctionConfiguration[],
  currentMs: number,
  stateMachineArn: string,
  signal: AbortSignal | undefined,
): Promise<readonly FunctionConfiguration[]> =>
  withStepFunctions({ region: regionOfArn(stateMachineArn) ?? '' }, async (client) => {
    const { DescribeStateMachineForExecutionCommand } = await import('@aws-sdk/client-sfn')
    let unusedVersions = versions
    for await (const { executionArn, startDate } of executionsOf(
      client,
      { stateMachineArn, status: 'RUNNING' },
      signal,
    )) {
      if (unusedVersions.length === 0) break
      // It started long after the workflow got its current version.
      if (startDate && startDate.getTime() > currentMs + KEPT_MS) continue
      const command = new DescribeStateMachineForExecutionCommand({ executionArn })
      const { definition = '' } = await askAws(
        { action: 'states:DescribeStateMachineForExecution', subject: `the execution ${executionArn}` },
        signal,
        (options) => client.send(command, options),
      )
      unusedVersions = unusedVersions.filter(({ FunctionArn }) => !definition.includes(`"${FunctionArn}"`))
    }
    return unusedVersions
  })

const removeVersion = async (
  client: LambdaClient,
  { FunctionName, Version: Qualifier }: FunctionConfiguration,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const { DeleteFunctionCommand } = await import('@aws-sdk/client-lambda')
  const command = new DeleteFunctionCommand({ FunctionName, Qualifier })
  const subject = `the version ${Qualifier} of the function ${FunctionName}`
  await askAws({ action: 'lambda:DeleteFunction', subject }, signal, async (options) => {
    try {
      await client.send(command, options)
    } catch (thrown) {
      // Another deployment has removed it.
      if (awsErrorName(thrown) !== 'ResourceNotFoundException') throw thrown
    }
  })
}

/**
 * Removes unused versions of the function. It keeps the workflow's version and newer ones, the version before it (which
 * an execution that starts now may still get), versions of the last day, and each version that a running execution
 * started with.
 */
export const removeOldVersions = async (
  place: StackPlace,
  { functionArn, functionVersion, stateMachineArn }: StackOutputs,
): Promise<void> => {
  const current = Number(functionVersion)
  // Versions are numbered from 1, so there is nothing to remove before the third.
  if (current < 3) return
  const { signal } = place
  const client = await openLambda(place)
  try {
    const versions = await versionsOf(client, functionArn, signal)
    const [, ...olderVersions] = versions.filter(({ Version }) => Number(Version) < current)
    const old = olderVersions.filter((version) => Date.now() - publishedMs(version) > KEPT_MS)
    const latest = versions.find(({ Version }) => Number(Version) === current)
    if (old.length === 0 || !latest) return
    for (const version of await unused(old, publishedMs(latest), stateMachineArn, signal))
      await removeVersion(client, version, signal)
  } finally {
    client.destroy()
  }
}
