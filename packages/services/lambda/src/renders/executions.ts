import type { DescribeExecutionCommandOutput, SFNClient } from '@aws-sdk/client-sfn'
import { type AwsPlace, openStepFunctions } from '../aws-clients.ts'
import { executionArnOf, idProblems, readExecutionArn, regionOfArn, stateMachineProblems } from '../contract/places.ts'
import { invalidConfig, refuseProblems } from '../invalid-config.ts'
import { askAboutRender } from './missing-render.ts'

/** Identifies a render by its id and state machine, or by its execution ARN. */
export interface RenderPlace extends AwsPlace {
  readonly renderId?: string | undefined
  readonly executionArn?: string | undefined
  /** Output `RenderStateMachineArn` of the stack; not needed with `executionArn`. */
  readonly stateMachineArn?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** A render in Step Functions. */
export interface Execution {
  readonly renderId: string
  readonly executionArn: string
  readonly stateMachineArn: string
  readonly region: string
}

/** The execution of a render; throws InvalidConfigError if the render is ambiguous. */
export const findExecution = (place: RenderPlace): Execution => {
  const { region } = place
  if (place.executionArn !== undefined) {
    const parts = readExecutionArn(place.executionArn)
    if (!parts)
      throw invalidConfig({
        field: 'executionArn',
        problem: `it must be the ARN of an execution; got ${JSON.stringify(place.executionArn)}`,
      })
    return {
      ...parts,
      executionArn: place.executionArn,
      region: region ?? regionOfArn(place.executionArn) ?? '',
    }
  }
  const { renderId = '', stateMachineArn = '' } = place
  refuseProblems([...idProblems('renderId', renderId), ...stateMachineProblems(stateMachineArn)])
  return {
    renderId,
    stateMachineArn,
    executionArn: executionArnOf(stateMachineArn, renderId),
    region: region ?? regionOfArn(stateMachineArn) ?? '',
  }
}

/** Runs work with a client for the region of an execution. */
export const withStepFunctions = async <T>(
  { region }: Pick<Execution, 'region'>,
  work: (client: SFNClient) => Promise<T>,
): Promise<T> => {
  const client = await openStepFunctions({ region })
  try {
    return await work(client)
  } finally {
    client.destroy()
  }
}

/** Describes an execution with Step Functions. */
export const describeExecution = async (
  client: SFNClient,
  { executionArn }: Pick<Execution, 'executionArn'>,
  signal: AbortSignal | undefined,
): Promise<DescribeExecutionCommandOutput> => {
  const { DescribeExecutionCommand } = await import('@aws-sdk/client-sfn')
  const request = { action: 'states:DescribeExecution', executionArn } as const
  return askAboutRender(client, request, signal, (options) =>
    client.send(new DescribeExecutionCommand({ executionArn }), options),
  )
}
