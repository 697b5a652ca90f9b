import { type AwsPlace, openStepFunctions } from '../aws-clients.ts'
import { regionOfArn, stateMachineProblems } from '../contract/places.ts'
import { refuseProblems } from '../invalid-config.ts'
import { executionsOf } from './execution-list.ts'
import { type RenderStatus, renderStatusOf } from './status.ts'

/** A render in a list. */
export interface ListedRender {
  readonly renderId: string
  readonly executionArn: string
  readonly status: RenderStatus
  /** ISO 8601. */
  readonly startedAt: string
  /** ISO 8601; null while it runs. */
  readonly endedAt: string | null
}

/** Selects the renders to list. */
export interface ListRendersOptions extends AwsPlace {
  readonly stateMachineArn: string
  readonly status?: RenderStatus
  readonly signal?: AbortSignal
}

/** Yields the renders of a stack from the last 90 days, latest first. */
export async function* listRenders(options: ListRendersOptions): AsyncGenerator<ListedRender> {
  const { stateMachineArn, status, signal } = options
  refuseProblems(stateMachineProblems(stateMachineArn))
  const client = await openStepFunctions({ region: options.region ?? regionOfArn(stateMachineArn) })
  try {
    for await (const execution of executionsOf(client, { stateMachineArn, status }, signal))
      yield {
        renderId: execution.name ?? '',
        executionArn: execution.executionArn ?? '',
        status: renderStatusOf(execution.status),
        startedAt: (execution.startDate ?? new Date(0)).toISOString(),
        endedAt: execution.stopDate?.toISOString() ?? null,
      }
  } finally {
    client.destroy()
  }
}
